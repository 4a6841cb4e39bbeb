import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { roomForAll } from "../../request/request.js";
import { readLimited } from "./read-limited.js";

it("a body whose connection was cut before it is read ends at once: its request would keep its seats until it times out", async () => {
  const body = new Readable({ read() {} });
  body.push("half of it");
  body.destroy();
  await new Promise((resolve) => body.once("close", resolve));
  await expect(readLimited(body, 100, roomForAll)).rejects.toMatchObject({ status: { code: 400 } });
});

it("a body that has ended before is whole", async () => {
  const body = Readable.from([Buffer.from("ab"), Buffer.from("c")]);
  expect(Buffer.from(await readLimited(body, 3, roomForAll)).toString()).toBe("abc");
});

describe("a body in chunks of one byte", () => {
  const bytes = 10_000;
  const chunks = (): Readable => Readable.from(Array.from({ length: bytes }, () => Buffer.from("x")));

  it("is one block of at most twice its bytes", async () => {
    const { length, buffer } = await readLimited(chunks(), bytes, roomForAll);
    expect([length, buffer.byteLength <= 2 * bytes]).toEqual([bytes, true]);
  });

  it("is refused when it is too long", async () => {
    await expect(readLimited(chunks(), bytes - 1, roomForAll)).rejects.toMatchObject({ status: { code: 413 } });
  });

  it("is not read on while it waits for room", async () => {
    const body = chunks();
    let grant = (): void => {};
    let asked = 0;
    const more = (): Promise<void> => (asked++, new Promise((resolve) => (grant = resolve)));
    const read = readLimited(body, bytes, { freeBytes: 100, more });
    let seen = 0;
    body.on("data", () => seen++);
    for (let turn = 0; turn < 1000; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect([asked, seen]).toEqual([1, 101]);
    grant();
    expect((await read).length).toBe(bytes);
    expect(asked).toBe(1);
  });

  it("fails with the room that it does not get", async () => {
    const more = (): Promise<void> => Promise.reject(new Error("gone"));
    await expect(readLimited(chunks(), bytes, { freeBytes: 100, more })).rejects.toThrow("gone");
  });
});
