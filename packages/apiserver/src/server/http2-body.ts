import { Readable } from "node:stream";
import { badRequest, requestEntityTooLarge, StatusError } from "@coxswain/apimachinery/status";
import type { ServerStream } from "@coxswain/wire/http2";

/** The whole body, or 413 as soon as it is longer than `limit`; what still comes is not kept. */
export function readHttp2Body(stream: ServerStream, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    stream.read({
      onData(data) {
        length += data.length;
        stream.credit(data.length);
        if (length <= limit) return void chunks.push(data);
        stream.ignoreBody();
        reject(requestEntityTooLarge(`limit is ${limit}`));
      },
      onEnd: () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)),
      onCut: (why) => reject(why === undefined ? badRequest("the request ended before its body") : new StatusError({ code: 500, reason: "", message: why })),
    });
  });
}

/** The body as it comes, to be handed on. The client may send more when what came has been taken. */
export function openHttp2Body(stream: ServerStream): Readable {
  let isOpen = false;
  let untaken = 0;
  const credit = (): void => {
    const taken = untaken;
    untaken = 0;
    if (taken > 0) stream.credit(taken);
  };
  const body: Readable = new Readable({
    read() {
      credit();
      if (isOpen) return;
      isOpen = true;
      stream.read({
        onData(data) {
          untaken += data.length;
          if (body.push(data)) credit();
        },
        onEnd: () => void body.push(null),
        onCut: () => void body.destroy(new Error("the request ended before its body")),
      });
    },
    destroy(error, done) {
      stream.ignoreBody();
      credit();
      done(error);
    },
  });
  return body;
}
