import type { Target } from "./attack.js";
import { dial, requestText } from "./raw-connection.js";

/** One request on a connection of its own; patches are merge patches. Resolves to the code of its answer; 0: it was cut. */
export async function send(
  target: Target,
  method: string,
  path: string,
  body?: object | string,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  const connection = await dial(target, signal);
  const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  const headers = `Connection: close\r\nContent-Type: ${type}\r\n`;
  const text = typeof body === "object" ? JSON.stringify(body) : body;
  connection.write(requestText(target, { method, path, headers, ...(text !== undefined && { body: text }) }));
  let head = "";
  connection.socket.on("data", (chunk: Buffer) => (head ||= chunk.toString("latin1", 0, 16)));
  await connection.closed;
  return Number(head.split(" ")[1] ?? 0);
}
