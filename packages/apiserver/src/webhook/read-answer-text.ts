import type { Readable } from "node:stream";
import { ByteCollector } from "@coxswain/wire/bytes";

/** The body of an answer as text. One of more than `maxBytes` is given up with what `tooLong` returns. */
export async function readAnswerText(answer: Readable, maxBytes: number, tooLong: () => Error): Promise<string> {
  const body = new ByteCollector();
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    if (body.length + chunk.length > maxBytes) throw tooLong(); // leaving the loop destroys the answer
    body.add(chunk);
  }
  return body.take().toString("utf8");
}
