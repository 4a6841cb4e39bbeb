import { MemoryBudget } from "@coxswain/runtime/memory-budget";
import { describe, expect, it } from "vitest";
import type { BodyRoom } from "../../request/request.js";
import type { RequestContext } from "../../request/request-context.js";
import { readBody } from "./read-body.js";

describe("the body of a request", () => {
  const mib = 1024 * 1024;
  function open(length: number, { declared = true } = {}) {
    const reads: string[] = [];
    const context = {
      request: {
        header: (name: string) => (declared && name === "content-length" ? String(length) : undefined),
        body: { as: "bytes", read: () => (reads.push("read"), new Uint8Array(length)) },
      },
      user: { name: "a", groups: [] },
      signal: new AbortController().signal,
      releaseMemory: undefined,
      info: {},
    } as unknown as RequestContext;
    return { context, reads };
  }
  const cases = [
    { name: "a small one holds nothing", length: 1000, held: 0 },
    { name: "a large one holds what may become of it", length: mib, held: 32 * mib },
    { name: "one without a length is counted once it is read", length: mib, declared: false, held: 32 * mib },
  ];
  for (const { name, length, declared = true, held } of cases)
    it(name, () => {
      const memory = new MemoryBudget({ totalBytes: 64 * mib });
      const { context } = open(length, { declared });
      expect(readBody({ maxBodyBytes: 3 * mib, memory }, context)).toHaveLength(length);
      expect(memory.held).toBe(held);
      context.releaseMemory?.();
      expect(memory.held).toBe(0);
    });

  it.each(["abc", "-1", "1e9", "0x100000", "NaN"])("of HTTP/2 whose Content-Length is %s holds nothing", (sent) => {
    const memory = new MemoryBudget({ totalBytes: 64 * mib });
    const { context } = open(1000);
    (context.request as { header: unknown }).header = () => sent;
    expect(readBody({ maxBodyBytes: 3 * mib, memory }, context)).toHaveLength(1000);
    expect(memory.held).toBe(0);
  });

  it("without a length holds room for the longest while it grows, and what it needs at its end", async () => {
    const memory = new MemoryBudget({ totalBytes: 512 * mib });
    const { context } = open(0, { declared: false });
    const held: number[] = [];
    const body = {
      as: "bytes",
      read(_: number, { freeBytes, more }: BodyRoom): Uint8Array {
        held.push(memory.held);
        void more();
        held.push(memory.held, freeBytes);
        return new Uint8Array(mib);
      },
    };
    (context.request as { body: unknown }).body = body;
    expect(await readBody({ maxBodyBytes: 3 * mib, memory }, context)).toHaveLength(mib);
    expect([...held, memory.held]).toEqual([0, 96 * mib, 64 * 1024, 32 * mib]);
  });

  it("is not read before there is room for it", async () => {
    const memory = new MemoryBudget({ totalBytes: 64 * mib });
    const first = open(mib);
    void readBody({ maxBodyBytes: 3 * mib, memory }, first.context);
    const second = open(mib);
    const waiting = readBody({ maxBodyBytes: 3 * mib, memory }, second.context);
    expect([waiting, second.reads]).toEqual([expect.any(Promise), []]);
    first.context.releaseMemory?.();
    expect(await waiting).toHaveLength(mib);
  });
});
