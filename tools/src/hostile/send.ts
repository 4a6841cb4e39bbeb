import type { Target } from "./attack.js";
import { dial, requestText } from "./raw-connection.js";

/** One request on a connection of its own. */
export async function send(
  target: Target,
  method: string,
  path: string,
  body?: object,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const connection = await dial(target, signal);
  const headers = "Connection: close\r\nContent-Type: application/json\r\n";
  connection.write(requestText(target, { method, path, headers, ...(body && { body: JSON.stringify(body) }) }));
  connection.socket.resume();
  await connection.closed;
}
