import type { Readable } from "node:stream";
import { badRequest, requestEntityTooLarge } from "@coxswain/apimachinery/status";
import { ByteCollector } from "@coxswain/wire/bytes";
import type { BodyRoom } from "../../request/request.js";

/** The whole body, or 413 as soon as it is longer than `limit`; what still comes is not kept. */
export function readLimited(stream: Readable, limit: number, room: BodyRoom): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const body = new ByteCollector();
    let hasAsked = false;
    const askForRoom = (): void => {
      hasAsked = true;
      const more = room.more();
      if (!(more instanceof Promise)) return;
      stream.pause(); // so that the end cannot come before the room
      more.then(
        () => stream.resume(),
        (err: unknown) => finish(() => reject(err as Error)),
      );
    };
    const onData = (chunk: Buffer): void => {
      if (body.length + chunk.length > limit) return finish(() => reject(requestEntityTooLarge(`limit is ${limit}`)));
      body.add(chunk);
      if (body.length > room.freeBytes && !hasAsked) askForRoom();
    };
    const onEnd = (): void => finish(() => resolve(body.take()));
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
