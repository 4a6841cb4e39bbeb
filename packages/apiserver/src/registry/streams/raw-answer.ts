import { type IncomingMessage, STATUS_CODES } from "node:http";

/** The head of another server's answer, as it came. */
export function rawHead(response: IncomingMessage): string {
  const { statusCode = 502, statusMessage, rawHeaders } = response;
  const lines = Array.from(
    { length: rawHeaders.length / 2 },
    (_, at) => `${rawHeaders[2 * at]}: ${rawHeaders[2 * at + 1]}\r\n`,
  );
  return `HTTP/1.1 ${statusCode} ${statusMessage ?? STATUS_CODES[statusCode] ?? ""}\r\n${lines.join("")}\r\n`;
}
