import type { Readable } from "node:stream";
import { badRequest, requestEntityTooLarge } from "@coxswain/apimachinery/status";

/** The whole body, or 413 as soon as it is longer than `limit`; what still comes is not kept. */
export function readLimited(stream: Readable, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else finish(() => reject(requestEntityTooLarge(`limit is ${limit}`)));
    };
    const onEnd = (): void =>
      finish(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    const onError = (err: Error): void => finish(() => reject(badRequest(err.message, { cause: err })));
    const onClose = (): void => finish(() => reject(badRequest("the request ended before its body")));
    const finish = (settle: () => void): void => {
      stream.off("data", onData).off("end", onEnd).off("error", onError).off("close", onClose);
      stream.resume(); // what is left, if anything, is thrown away
      settle();
    };
    // The connection may have been cut while the request was queued: no event would come any more.
    if (stream.destroyed && !stream.readableEnded) return onClose();
    stream.on("data", onData).on("end", onEnd).on("error", onError).on("close", onClose);
  });
}
