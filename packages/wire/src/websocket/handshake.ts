import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";
import { acceptUpgrade, asksForUpgrade, requestUpgrade, type UpgradeOptions } from "../upgrade/index.js";
import { createWebSocket, type WebSocketConnection, type WebSocketOptions } from "./websocket.js";

type Settings = Omit<WebSocketOptions, "role" | "protocol" | "head">;

const magic = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const answerTo = (key: string): string =>
  createHash("sha1")
    .update(key + magic)
    .digest("base64");

export const isWebSocketRequest = (headers: IncomingHttpHeaders): boolean => asksForUpgrade(headers, "websocket");

/** What the client would speak, in its order of preference. */
export const requestedProtocols = (headers: IncomingHttpHeaders): string[] =>
  (headers["sec-websocket-protocol"] ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

export type Handshake =
  | { readonly kind: "accept"; readonly protocol: string; readonly key: string }
  | {
      readonly kind: "refuse";
      readonly status: number;
      readonly message: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

/**
 * Decides, and does nothing. `supported` may contain "", for clients that name no protocol.
 * A client that names only unknown ones is refused.
 */
export function planHandshake(headers: IncomingHttpHeaders, supported: readonly string[]): Handshake {
  const key = headers["sec-websocket-key"] ?? "";
  if (!isWebSocketRequest(headers))
    return { kind: "refuse", status: 400, message: "the request does not ask for a WebSocket" };
  if (headers["sec-websocket-version"] !== "13")
    return {
      kind: "refuse",
      status: 426,
      message: "only version 13 of the WebSocket protocol is supported here",
      headers: { "Sec-WebSocket-Version": "13" },
    };
  if (!/^[A-Za-z0-9+/]{22}==$/.test(key))
    return { kind: "refuse", status: 400, message: "Sec-WebSocket-Key is missing or malformed" };
  const requested = requestedProtocols(headers);
  const protocol = (requested.length > 0 ? requested : [""]).find((name) => supported.includes(name));
  if (protocol === undefined)
    return {
      kind: "refuse",
      status: 400,
      message: `requested protocol(s) are not supported: ${requested.join(", ") || "none"}; supports ${supported.filter((name) => name !== "").join(", ")}`,
    };
  return { kind: "accept", protocol, key };
}

/** Answers a handshake that was accepted. */
export function acceptWebSocket(
  socket: Duplex,
  head: Uint8Array,
  handshake: Extract<Handshake, { kind: "accept" }>,
  settings: Settings,
): WebSocketConnection {
  acceptUpgrade(socket, "websocket", {
    "Sec-WebSocket-Accept": answerTo(handshake.key),
    "Sec-WebSocket-Protocol": handshake.protocol || undefined,
  });
  return createWebSocket(socket, { ...settings, role: "server", protocol: handshake.protocol, head });
}

/** @throws UpgradeRefused when the server answers something else */
export async function connectWebSocket(
  options: Omit<UpgradeOptions, "protocol" | "method"> & Settings & { readonly protocols?: readonly string[] },
): Promise<WebSocketConnection> {
  const { url, headers, protocols = [], ...rest } = options;
  const key = Buffer.from(options.random.bytes(16)).toString("base64");
  const wanted = protocols.length > 0 ? { "Sec-WebSocket-Protocol": protocols.join(", ") } : {};
  const http = new URL(url);
  http.protocol = http.protocol.replace(/^ws/, "http");
  const upgraded = await requestUpgrade({
    ...rest,
    url: http,
    protocol: "websocket",
    headers: { ...headers, ...wanted, "Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13" },
  });
  const protocol = upgraded.headers["sec-websocket-protocol"] ?? "";
  const wrong =
    upgraded.headers["sec-websocket-accept"] !== answerTo(key)
      ? "its answer does not fit our key"
      : protocol !== "" && !protocols.includes(protocol)
        ? `it chose the protocol ${protocol}, which was not offered`
        : upgraded.headers["sec-websocket-extensions"]
          ? "it uses an extension that was not offered"
          : undefined;
  if (wrong !== undefined) {
    upgraded.socket.destroy();
    throw new Error(`the server's WebSocket handshake is wrong: ${wrong}`);
  }
  return createWebSocket(upgraded.socket, { ...options, role: "client", protocol, head: upgraded.head });
}
