import { createVirtualClock } from "@coxswain/runtime/clock";
import { describe, expect, it } from "vitest";
import type { LogLine } from "../runtime/container-runtime.js";
import { createContainerLog } from "./container-log.js";
import { createLogSpace } from "./log-space.js";

const clock = createVirtualClock({ startMs: 0 });
const never = new AbortController().signal;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
type TextLine = LogLine & { readonly text: string };
async function linesOf(log: ReturnType<typeof createContainerLog>): Promise<TextLine[]> {
  const lines: TextLine[] = [];
  for await (const line of log.read({ follow: false }, never))
    lines.push({ ...line, text: Buffer.from(line.content).toString() });
  return lines;
}
const sizeOf = (lines: readonly TextLine[]): number => lines.reduce((sum, { text }) => sum + text.length, 0);

describe("a container's log", () => {
  it("keeps at most a mebibyte, the newest lines of it", async () => {
    const log = createContainerLog(clock, createLogSpace());
    for (let i = 0; i < 5000; i++) log.write("stdout", bytes(`${i} ${"x".repeat(1000)}\n`));
    const lines = await linesOf(log);
    expect(sizeOf(lines)).toBeLessThan(1024 * 1024);
    expect(sizeOf(lines)).toBeGreaterThan(512 * 1024);
    expect(lines.at(-1)?.text.startsWith("4999 ")).toBe(true);
  });
  it("keeps at most a mebibyte of empty lines, their own size included", async () => {
    const log = createContainerLog(clock, createLogSpace());
    for (let i = 0; i < 100; i++) log.write("stdout", bytes("\n".repeat(10_000)));
    expect((await linesOf(log)).length).toBeLessThan(11_000);
  });
  it("keeps at most a mebibyte of lines of two, in parts", async () => {
    const log = createContainerLog(clock, createLogSpace());
    for (let i = 0; i < 3; i++) log.write("stdout", bytes(`${"x".repeat(2 * 1024 * 1024)}\n`));
    const lines = await linesOf(log);
    expect(sizeOf(lines)).toBeLessThan(1024 * 1024);
    expect(lines.every(({ text }) => text.length <= 16 * 1024)).toBe(true);
    expect(lines.at(-1)?.isPartial).toBeUndefined();
    expect(lines.at(-2)?.isPartial).toBe(true);
  });
  it("joins the parts of a long line", async () => {
    const log = createContainerLog(clock, createLogSpace());
    log.write("stdout", bytes("a".repeat(20_000)));
    log.write("stdout", bytes("b\nc\n"));
    const lines = await linesOf(log);
    expect(lines.map(({ text, isPartial }) => [text.length, isPartial ?? false])).toEqual([
      [16_384, true],
      [3617, false],
      [1, false],
    ]);
    expect(log.tail(80, 5)).toBe("aab\nc\n".slice(-5));
  });
  it("loses old lines where all logs together are too long, the longest first", async () => {
    const space = createLogSpace(300_000);
    const [long, short] = [createContainerLog(clock, space), createContainerLog(clock, space)];
    short.write("stdout", bytes("hello\n"));
    for (let i = 0; i < 1000; i++) long.write("stdout", bytes(`${"x".repeat(1000)}\n`));
    expect(sizeOf(await linesOf(long))).toBeLessThan(300_000);
    expect((await linesOf(short)).map(({ text }) => text)).toEqual(["hello"]);
    long.discard();
    for (let i = 0; i < 200; i++) short.write("stdout", bytes(`${"x".repeat(1000)}\n`));
    expect((await linesOf(short)).length).toBe(201);
  });
  it("goes on for those who follow it and are slower than it drops lines", async () => {
    const log = createContainerLog(clock, createLogSpace());
    log.write("stdout", bytes("first\n"));
    const following = log.read({ follow: true }, never)[Symbol.asyncIterator]();
    expect((await following.next()).value).toMatchObject({ content: bytes("first") });
    for (let i = 0; i < 5000; i++) log.write("stdout", bytes(`${i} ${"x".repeat(1000)}\n`));
    log.close();
    let count = 0;
    for (let line = await following.next(); !line.done; line = await following.next()) count++;
    expect(count).toBeGreaterThan(500);
    expect(count).toBeLessThan(1100);
  });
});
