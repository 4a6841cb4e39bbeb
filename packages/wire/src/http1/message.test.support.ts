import { BodyDecoder } from "./body-decoder.js";
import { requestFraming } from "./body-framing.js";
import { HeadReader } from "./head-reader.js";
import { Http1Error } from "./http1-error.js";
import { parseRequestHead } from "./message-head.js";

/** What comes of bytes that are sent to a server in pieces: its requests with their bodies, and at last the status of a refusal or what is open. */
export function readRequests(sent: string, pieceBytes: number): string {
  const bytes = Buffer.from(sent, "latin1");
  const reader = new HeadReader(8192);
  const seen: string[] = [];
  let body: BodyDecoder | undefined;
  let text = "";
  try {
    for (let from = 0; from < bytes.length; from += pieceBytes) {
      const piece = bytes.subarray(from, from + pieceBytes);
      for (let at = 0; at < piece.length; ) {
        if (body) {
          const { data, end } = body.push(piece, at);
          text += data?.toString("latin1") ?? "";
          at = end;
        } else {
          const read = reader.push(piece, at);
          if (!read) break;
          at = read.end;
          const head = parseRequestHead(read.head);
          text = `${head.method} ${head.authority}${head.target}`;
          body = new BodyDecoder(requestFraming(head));
          if (!body.isComplete) text += " ";
        }
        if (!body?.isComplete) continue;
        const trailers = body.trailers.map(({ name, value }) => ` ${name}=${value}`);
        seen.push(text + trailers.join(""));
        body = undefined;
      }
    }
  } catch (error) {
    if (!(error instanceof Http1Error)) throw error;
    return [...seen, String(error.status)].join(", ");
  }
  return [...seen, ...(body || reader.pendingBytes > 0 ? ["waits"] : [])].join(", ");
}
