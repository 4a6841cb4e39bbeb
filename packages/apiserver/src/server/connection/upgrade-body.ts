import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { Readable } from "node:stream";

export interface UpgradeBody {
  readonly exists: boolean;
  open(): Readable;
  /** What came behind the request and is none of its body. */
  rest(): Uint8Array;
}

/** A request whose class knows what the parser gave it: `readableLength` does not, where the message collects the chunks itself. */
type UpgradeMessage = IncomingMessage & { readonly hasParsedBody: boolean };

/**
 * The body of a request that asks for another protocol. Before Node 26, its parser stops at the head of such a request, so that
 * what follows is read here, by its length. (A body in chunks is not: no client sends one with such a request.) Node 26 parses
 * the body too: the message has it, and `head` is what comes behind it.
 */
export function readUpgradeBody(message: UpgradeMessage, socket: Socket, head: Buffer): UpgradeBody {
  if (message.hasParsedBody) return { exists: true, open: () => message, rest: () => head };
  const length = Number(message.headers["content-length"] ?? 0);
  return {
    exists: length > 0,
    open: () => (length > 0 ? Readable.from(take(socket, head, length)) : Readable.from([])),
    rest: () => head.subarray(Math.min(length, head.length)),
  };
}

async function* take(socket: Socket, head: Buffer, length: number): AsyncGenerator<Buffer, void> {
  let left = length;
  if (head.length > 0) yield head.subarray(0, left);
  left -= head.length;
  if (left <= 0) return;
  for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}
