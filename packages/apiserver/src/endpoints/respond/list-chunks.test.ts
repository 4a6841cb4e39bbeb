import { describe, expect, it } from "vitest";
import { withBytes } from "../../cache/cache-entry.js";
import type { ListAnswer } from "../../request/answer.js";
import type { ListText } from "../../request/form.js";
import type { ByteBuffer } from "./byte-buffer.js";
import { giveBackListBuffer, takeListBuffer } from "./list-buffers.js";
import { listChunks } from "./list-chunks.js";
import { utf8 } from "./text.js";

const text: ListText = {
  before: () => utf8("["),
  item: (entry, into) => into.append(entry.slab.bytes),
  separator: utf8(","),
  after: utf8("]"),
  sized: false,
  mark: undefined,
};

/** A list of strings of these lengths, the first of "a", the next of "b". */
function answerOf(lengths: readonly number[]): { answer: ListAnswer; whole: string } {
  const items = lengths.map((length, at) => String.fromCharCode(97 + (at % 26)).repeat(length));
  const entries = items.map((item, at) =>
    withBytes(
      { key: String(at), revision: 1, namespace: "", labels: undefined, fields: undefined, stale: false },
      utf8(item),
    ),
  );
  return { answer: { as: "list", entries } as unknown as ListAnswer, whole: `[${items.join(",")}]` };
}

/** Without the places where others may run. */
function* chunksOf(answer: ListAnswer, buffer?: ByteBuffer): Generator<Uint8Array, void> {
  for (const each of listChunks(answer, text, buffer)) if (typeof each !== "number") yield each;
}

describe("listChunks", () => {
  const cases = [
    { name: "nothing", lengths: [] },
    { name: "a few small ones", lengths: [10, 20, 1] },
    { name: "thousands of some kilobytes", lengths: Array.from({ length: 3000 }, (_, at) => 3000 + (at % 7)) },
    { name: "one that is larger than a chunk, between small ones", lengths: [5, 1_500_000, 5, 300_000, 5] },
  ];
  for (const { name, lengths } of cases)
    it(`writes all of ${name}, in chunks that end soon after 192 KiB`, () => {
      const { answer, whole } = answerOf(lengths);
      const largest = Math.max(0, ...lengths);
      let written = "";
      for (const chunk of chunksOf(answer)) {
        expect(chunk.length).toBeLessThanOrEqual((192 << 10) + largest + 3);
        written += Buffer.from(chunk).toString();
      }
      expect(written === whole).toBe(true);
    });

  it("takes no more room than a short list needs", () => {
    const { answer } = answerOf(Array.from({ length: 50 }, () => 1500));
    const [chunk] = chunksOf(answer);
    expect(chunk?.buffer.byteLength).toBeLessThan(96 << 10);
  });

  it("writes one list after the other into the same buffer, but not those that hold a large one", () => {
    const buffer = takeListBuffer();
    for (const lengths of [[10, 20], [], [100_000, 100_000, 5]]) {
      const { answer, whole } = answerOf(lengths);
      expect(Array.from(chunksOf(answer, buffer), (chunk) => Buffer.from(chunk).toString()).join("") === whole).toBe(
        true,
      );
      giveBackListBuffer(buffer);
      expect(takeListBuffer()).toBe(buffer);
    }
    for (const _ of listChunks(answerOf([1_000_000]).answer, text, buffer));
    giveBackListBuffer(buffer);
    expect(takeListBuffer()).not.toBe(buffer);
  });
});
