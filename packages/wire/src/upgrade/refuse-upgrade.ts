import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** Answers a request that asked to change protocols in plain HTTP, and closes the connection. */
export function refuseUpgrade(
  socket: Duplex,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const content = Buffer.from(body);
  const lines = Object.entries({
    "Content-Type": "text/plain; charset=utf-8",
    ...headers,
    "Content-Length": String(content.length),
    Connection: "close",
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on("error", () => undefined); // The client may be gone.
  // A client that goes on sending is discarded and closed: a socket that nobody reads would never notice that its client left.
  socket.resume();
  socket.once("finish", () => socket.destroy());
  socket.end(
    Buffer.concat([
      Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Unknown"}\r\n${lines.join("")}\r\n`),
      content,
    ]),
  );
}

/** Sends 101: from here on the connection carries `protocol`. */
export function acceptUpgrade(
  socket: Duplex,
  protocol: string,
  headers: Readonly<Record<string, string | undefined>> = {},
): void {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}\r\n`],
  );
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n${lines.join("")}\r\n`,
  );
}

/** Whether a request asks for this protocol: both headers are lists, in any case. */
export const asksForUpgrade = (
  headers: { readonly connection?: string | undefined; readonly upgrade?: string | undefined },
  protocol: string,
): boolean => lists(headers.connection, "upgrade") && lists(headers.upgrade, protocol);

const lists = (value: string | undefined, wanted: string): boolean =>
  (value ?? "").split(",").some((item) => item.trim().toLowerCase() === wanted.toLowerCase());
