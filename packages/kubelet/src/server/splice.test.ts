import { Duplex, PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { connectedPair } from "../runtime/connected-pair.js";
import { splice } from "./splice.js";

describe("two connections spliced", () => {
  it("carry what was sent before one of them was closed", async () => {
    const [client, near] = connectedPair();
    const [far, server] = connectedPair();
    splice(near, far);
    const found = text(client);
    server.end("x".repeat(500_000), () => server.destroy());
    expect((await found).length).toBe(500_000);
    await expect.poll(() => near.destroyed && far.destroyed).toBe(true);
  });
  it("wait for a slow reader, and then close", async () => {
    let release = (): void => {};
    const written: string[] = [];
    const slow = new Duplex({
      read() {},
      write(chunk: Buffer, _, done) {
        release = () => (written.push(chunk.toString()), done());
      },
    });
    const fast = new PassThrough();
    splice(slow, fast);
    fast.end("exit code 3");
    await expect.poll(() => fast.readableEnded).toBe(true);
    expect(slow.destroyed).toBe(false);
    release();
    await expect.poll(() => slow.destroyed).toBe(true);
    expect(written).toEqual(["exit code 3"]);
  });
  it("close together when one breaks", async () => {
    const [a, b] = [new PassThrough(), new PassThrough()];
    splice(a, b);
    a.destroy(new Error("reset"));
    await expect.poll(() => b.destroyed).toBe(true);
  });
  it("close together when one was gone before", () => {
    const [a, b] = [new PassThrough(), new PassThrough()];
    a.destroy();
    splice(a, b);
    expect(b.destroyed).toBe(true);
  });
});
