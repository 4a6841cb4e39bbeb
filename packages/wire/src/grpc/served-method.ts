import type { Decoded, Encodable, MessageType } from "../protobuf/index.js";
import type { Metadata } from "./metadata.js";
import type { Method } from "./method.js";
import { GrpcError } from "./status.js";

/** One call, seen from the server. */
export interface ServerCall<Req extends MessageType, Res extends MessageType> {
  readonly metadata: Metadata;
  readonly requests: AsyncIterable<Decoded<Req>>;
  /** Resolves when more may be sent. */
  send(message: Encodable<Res>): Promise<void>;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
}

export interface ServedMethod {
  readonly method: Method;
  /** Throw a GrpcError to answer with its code; anything else becomes UNKNOWN. */
  readonly handle: (call: ServerCall<MessageType, MessageType>) => Promise<void>;
  /** Longer requests are refused. */
  readonly maxMessageBytes: number;
}

export const serveStream = <Req extends MessageType, Res extends MessageType>(
  method: Method<Req, Res>,
  handle: (call: ServerCall<Req, Res>) => Promise<void>,
  maxMessageBytes = 4 * 1024 * 1024,
): ServedMethod => ({
  method,
  // Who serves the method decodes and encodes by its own tables.
  handle: handle as ServedMethod["handle"],
  maxMessageBytes,
});

export const serveUnary = <Req extends MessageType, Res extends MessageType>(
  method: Method<Req, Res>,
  handle: (request: Decoded<Req>, metadata: Metadata) => Promise<Encodable<Res>> | Encodable<Res>,
): ServedMethod =>
  serveStream(method, async (call) => {
    for await (const request of call.requests) return call.send(await handle(request, call.metadata));
    throw new GrpcError("INTERNAL", `${method.path} was called without a message`);
  });
