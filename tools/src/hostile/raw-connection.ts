import { connect, type TLSSocket } from "node:tls";
import type { Target } from "./attack.js";

export interface RawConnection {
  readonly socket: TLSSocket;
  readonly closed: Promise<void>;
  /** Resolves with the first bytes that come, or when the connection is closed. */
  readonly answered: Promise<void>;
  write(bytes: string | Uint8Array): void;
}

/** A connection on which any bytes can be sent; it ends with `signal`. */
export async function dial(
  target: Target,
  signal: AbortSignal,
  protocol: "http/1.1" | "h2" = "http/1.1",
): Promise<RawConnection> {
  const socket = connect({ host: "127.0.0.1", port: target.port, ...target.tls, ALPNProtocols: [protocol] });
  socket.on("error", () => {});
  const abort = (): void => void socket.destroy();
  signal.addEventListener("abort", abort, { once: true });
  const closed = new Promise<void>((resolve) =>
    socket.once("close", () => {
      signal.removeEventListener("abort", abort);
      resolve();
    }),
  );
  const answered = Promise.race([closed, new Promise<void>((resolve) => socket.once("data", () => resolve()))]);
  await Promise.race([closed, new Promise<void>((resolve) => socket.once("secureConnect", () => resolve()))]);
  return {
    socket,
    closed,
    answered,
    write(bytes) {
      if (!socket.destroyed) socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
    },
  };
}

/** A request of HTTP/1.1. */
export function requestText(
  target: Target,
  options: { method?: string; path: string; headers?: string; body?: string },
): string {
  const { method = "GET", path, headers = "", body } = options;
  const length = body === undefined ? "" : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${target.token}\r\n${headers}${length}\r\n${body ?? ""}`;
}
