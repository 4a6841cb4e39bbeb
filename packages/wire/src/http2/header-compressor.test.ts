import { describe, expect, it } from "vitest";
import { HeaderCompressor } from "./header-compressor.js";
import { HpackDecoder } from "./hpack-decoder.js";

describe("compressed headers", () => {
  const connect = () => {
    const compressor = new HeaderCompressor();
    const decoder = new HpackDecoder(1 << 20);
    return {
      compressor,
      /** What the other side reads, and in how many bytes. */
      send(status: number, headers: Record<string, string | string[]>) {
        const block = compressor.encode(status, headers);
        const lines = decoder.decode(Buffer.from(block))?.map(([name, value]) => `${name}: ${value}`);
        return { lines, bytes: block.length };
      },
    };
  };
  const linesOf = (status: number, headers: Record<string, string | string[]>): string[] => [
    `:status: ${status}`,
    ...Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}`)),
  ];

  it("decode to what was encoded, whatever was encoded before", () => {
    const { send } = connect();
    const answers: [number, Record<string, string | string[]>][] = [
      [200, { "audit-id": "1", "content-type": "application/json", date: "Mon", "content-length": "10" }],
      [200, { "audit-id": "2", "content-type": "application/json", date: "Mon", "content-length": "10" }],
      [404, { "audit-id": "3", "content-type": "text/plain", date: "Tue", warning: ["299 - a", "299 - b"] }],
      [418, { "audit-id": "4", "content-type": "application/json", date: "Tue", "content-length": "" }],
      [200, { "audit-id": "4", "content-type": "application/json", date: "Tue", x: "y".repeat(5000) }],
    ];
    for (const [status, headers] of [...answers, ...answers])
      expect(send(status, headers).lines).toEqual(linesOf(status, headers));
  });

  it("are indexed when they repeat, and not when they change every time", () => {
    const { send } = connect();
    const headers = (at: number) => ({
      "audit-id": `${at}`.padStart(36, "0"),
      "cache-control": "no-cache, private",
      "content-type": "application/json",
      "content-length": "1499",
    });
    for (let at = 0; at < 3; at++) send(200, headers(at));
    expect(send(200, headers(3)).bytes).toBe(1 + (2 + 1 + 36) + 3);
  });

  it("evict the oldest entries, as the decoder does", () => {
    const { send } = connect();
    for (let at = 0; at < 500; at++) {
      const headers = { [`x-${at % 50}`]: "v".repeat(at % 200), same: "same", other: String(at >> 3) };
      expect(send(200, headers).lines).toEqual(linesOf(200, headers));
    }
  });

  it("keep to the decoder's table size", () => {
    const { compressor, send } = connect();
    const headers = { a: "b", c: "d" };
    for (const limit of [4096, 0, 0, 64, 40, 1 << 30, 4096]) {
      compressor.limitTable(limit);
      for (let times = 0; times < 3; times++) expect(send(200, headers).lines).toEqual(linesOf(200, headers));
    }
    compressor.limitTable(0);
    send(200, headers);
    expect(send(200, headers).bytes).toBe(1 + 2 * 5);
  });
});
