import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { hasBrokenEscape } from "../connection/decode-path.js";
import type { RequestTarget } from "../connection/request-target.js";

/** The responses of Go's HTTP server to requests that no handler sees. The reason is in the status line. */
export interface Refusal {
  readonly code: number;
  readonly reason: string;
  /** @default the code and the reason */
  readonly text?: string;
}

const badRequest: Refusal = { code: 400, reason: "Bad Request" };
const unsupportedEncoding: Refusal = { code: 501, reason: "Not Implemented", text: "Unsupported transfer encoding" };
const hostPattern = /^[0-9A-Za-z!$%&'()*+,\-.:;=[\]_~]*$/;

/** For a message that node's parser has accepted. Undefined: nothing is wrong with it. */
export function refusalOf(message: IncomingMessage, { path }: RequestTarget): Refusal | undefined {
  if (message.httpVersionMajor > 1)
    return { code: 505, reason: "HTTP Version Not Supported: unsupported protocol version" };
  if (message.httpVersionMajor < 1 || hasBrokenEscape(path)) return badRequest;
  const hosts = hostLines(message.rawHeaders);
  if (hosts > 1) return badRequest;
  if (hosts === 0 && message.httpVersionMinor > 0 && message.method !== "CONNECT")
    return { code: 400, reason: "Bad Request: missing required Host header" };
  if (!hostPattern.test(message.headers.host ?? "")) return { code: 400, reason: "Bad Request: malformed Host header" };
  const encoding = message.headers["transfer-encoding"];
  // HTTP/1.0 has no chunks (RFC 9112, section 6.1): a proxy that ignores them reads another body, and another next request.
  if (encoding !== undefined && message.httpVersionMinor === 0) return badRequest;
  return encoding === undefined || encoding.toLowerCase() === "chunked" ? undefined : unsupportedEncoding;
}

/** For one that the parser has refused. Undefined: Go hangs up without a word, as it does on a client whose headers take too long. */
export function refusalOfError(err: Error & { code?: string }): Refusal | undefined {
  if (err.code === "ERR_HTTP_REQUEST_TIMEOUT") return undefined;
  if (err.code === "HPE_HEADER_OVERFLOW") return { code: 431, reason: "Request Header Fields Too Large" };
  return err.code === "HPE_INVALID_TRANSFER_ENCODING" ? unsupportedEncoding : badRequest;
}

const textOf = ({ code, reason, text }: Refusal): string => text ?? `${code} ${reason}`;

/** Connections with a final response: the parser may report further errors in the rest of a refused request. */
const refused = new WeakSet<Duplex>();

export function sendRefusal(refusal: Refusal, response: ServerResponse): void {
  if (response.socket) refused.add(response.socket);
  const text = textOf(refusal);
  response
    .writeHead(refusal.code, refusal.reason, {
      "content-type": "text/plain; charset=utf-8",
      "content-length": text.length,
      connection: "close",
    })
    .end(text);
}

/** The same where there is a socket and nothing else yet. */
export function writeRefusal(refusal: Refusal, socket: Duplex): void {
  if (refused.has(socket)) return;
  if (socket.writable)
    socket.end(
      `HTTP/1.1 ${refusal.code} ${refusal.reason}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${textOf(refusal)}`,
    );
  else socket.destroy();
}

/** Node's own headers keep only the first of several. */
function hostLines(raw: readonly string[]): number {
  let lines = 0;
  for (let at = 0; at < raw.length; at += 2) if (raw[at]!.length === 4 && raw[at]!.toLowerCase() === "host") lines += 1;
  return lines;
}
