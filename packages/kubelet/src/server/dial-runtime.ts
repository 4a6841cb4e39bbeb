import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Clock } from "@coxswain/runtime/clock";
import { KubeletRefusal } from "./kubelet-source.js";

/** How long the runtime's own server may take to accept a connection. It is on this machine. */
const dialMs = 10_000;

/**
 * A connection to the server of the container runtime. The URL is what the runtime returned for this one request: nothing that a client
 * sends has a part in it.
 * @throws KubeletRefusal 500 where it cannot be reached
 */
export async function dialRuntime(url: URL, ioClock: Clock): Promise<Socket> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  const socket =
    url.protocol === "https:"
      ? connectTls({ host, port })
      : connect({ host, port, allowHalfOpen: true, noDelay: true });
  const timer = ioClock.setTimer(dialMs, () => socket.destroy(new Error("i/o timeout")));
  try {
    await once(socket, url.protocol === "https:" ? "secureConnect" : "connect");
    return socket;
  } catch (error) {
    throw new KubeletRefusal(500, `error dialing backend: ${(error as Error).message}`);
  } finally {
    timer.cancel();
  }
}

/** @throws KubeletRefusal 500 where the runtime returned no URL that can be dialled */
export function readRuntimeUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.protocol === "http:" || url.protocol === "https:")) return url;
  throw new KubeletRefusal(500, `the container runtime returned no URL of its server: ${JSON.stringify(text)}`);
}
