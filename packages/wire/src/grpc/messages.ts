import type { Decoded, Encodable, MessageType } from "../protobuf/index.js";
import type { CallOptions, GrpcClient } from "./client.js";
import { MessageQueue } from "./message-queue.js";
import type { Method } from "./method.js";

/**
 * The messages of an answer that streams, one after another. A slow reader holds the server back.
 * Leaving the loop early cancels the call.
 */
export async function* readMessages<Req extends MessageType, Res extends MessageType>(
  client: GrpcClient,
  method: Method<Req, Res>,
  request: Encodable<Req>,
  options: CallOptions = {},
): AsyncGenerator<Decoded<Res>> {
  // No message comes before the request is sent, so the queue never asks for a stream that is not there yet.
  const queue: MessageQueue<Decoded<Res>> = new MessageQueue((held) => (held > 16 ? stream.pause() : stream.resume()));
  const stream = await client.stream(method, { ...options, onMessage: (message) => queue.push(message) });
  stream.done.then(
    () => queue.end(),
    (error: unknown) => queue.end(error),
  );
  stream.send(request);
  stream.end();
  try {
    yield* queue;
  } finally {
    stream.cancel();
  }
}
