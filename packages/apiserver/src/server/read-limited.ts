import type { Readable } from "node:stream";
import { badRequest, requestEntityTooLarge } from "@coxswain/apimachinery/status";

/** The whole body, or 413 as soon as it is longer than `limit`; what still comes is not kept. */
export function readLimited(stream: Readable, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    stream.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length > limit) {
        chunks.length = 0;
        stream.removeAllListeners("data");
        stream.resume();
        reject(requestEntityTooLarge(`limit is ${limit}`));
        return;
      }
      chunks.push(chunk);
    });
    stream.once("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    stream.once("error", (err) => reject(badRequest(err.message, { cause: err })));
    stream.once("close", () => reject(badRequest("the request ended before its body")));
  });
}
