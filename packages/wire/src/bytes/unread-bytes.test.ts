import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { UnreadBytes } from "./unread-bytes.js";

function open(): { readable: Readable; unread: UnreadBytes; pushes: () => number } {
  let pushes = 0;
  const readable = new Readable({ highWaterMark: UnreadBytes.highWaterMark, read: () => unread.ask() });
  const unread = new UnreadBytes((bytes) => (pushes++, readable.push(bytes)));
  return { readable, unread, pushes: () => pushes };
}
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("unread bytes of a stream", () => {
  it("chunks that nobody reads are pushed as one", async () => {
    const { readable, unread, pushes } = open();
    for (let at = 0; at < 10_000; at++) unread.add(Buffer.from("x"));
    unread.end();
    expect(pushes()).toBe(0);
    expect((await buffer(readable)).length).toBe(10_000);
    expect(pushes()).toBe(2); // all of them, and the end
  });

  it("chunks that come while a reader has paused are pushed as one", async () => {
    const { readable, unread, pushes } = open();
    readable.read(0);
    for (let at = 0; at < 10_000; at++) {
      unread.add(Buffer.from("x"));
      if (at % 1000 === 0) await tick();
    }
    expect([pushes(), unread.length]).toEqual([1, 9_999]);
    unread.end();
    expect((await buffer(readable)).length).toBe(10_000);
  });

  it("a reader gets each chunk as it comes, and the end", async () => {
    const { readable, unread } = open();
    const got: string[] = [];
    readable.on("data", (chunk: Buffer) => got.push(String(chunk))).on("end", () => got.push("end"));
    for (const text of ["a", "", "b"]) {
      unread.add(Buffer.from(text));
      await tick();
    }
    unread.end();
    await tick();
    expect(got).toEqual(["a", "b", "end"]);
  });

  it("an end without bytes is an end", async () => {
    const { readable, unread } = open();
    unread.end();
    expect((await buffer(readable)).length).toBe(0);
  });
});
