import { Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { Http1Message } from "./message.js";

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the body of an HTTP/1.1 request in chunks of one byte", () => {
  it("waits as one block, and stops the parser at 64 KiB", () => {
    const message = new Http1Message(new Socket());
    let accepted = 0;
    while (message.push(Buffer.from("x"))) accepted++;
    expect(accepted).toBe(64 * 1024 - 1);
    expect((message.read() as Buffer).length).toBe(64 * 1024);
  });

  it("waits as one block behind a reader that paused", async () => {
    const message = new Http1Message(new Socket());
    const sizes: number[] = [];
    message.on("data", (chunk: Buffer) => sizes.push(chunk.length));
    await tick();
    message.push(Buffer.from("x"));
    await tick();
    message.pause();
    for (let at = 0; at < 10_000; at++) {
      message.push(Buffer.from("x"));
      if (at % 1000 === 0) await tick();
    }
    message.push(null);
    const ended = new Promise((resolve) => message.once("end", resolve));
    message.resume();
    await ended;
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(10_001);
    expect(sizes.length).toBeLessThanOrEqual(4);
  });

  it("is whole, however its reader reads", async () => {
    const message = new Http1Message(new Socket());
    const whole = buffer(message);
    for (let at = 0; at < 5_000; at++) {
      message.push(Buffer.from(String(at % 10)));
      if (at % 7 === 0) await tick();
    }
    message.push(null);
    expect(String(await whole)).toBe("0123456789".repeat(500));
  });
});
