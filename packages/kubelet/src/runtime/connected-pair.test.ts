import { once } from "node:events";
import type { Duplex } from "node:stream";
import { createSpdyConnection } from "@coxswain/wire/spdy";
import { describe, expect, it } from "vitest";
import { connectedPair } from "./connected-pair.js";

describe("a connection inside this process", () => {
  const rows: { name: string; close: (end: Duplex) => unknown }[] = [
    { name: "that is cut", close: (end) => end.destroy() },
    { name: "that fails", close: (end) => end.on("error", () => {}).destroy(new Error("broken")) },
    { name: "whose protocol is broken", close: (end) => createSpdyConnection(end, { role: "server" }) },
    { name: "that ends on both sides", close: (end) => end.resume().end() },
  ];
  for (const { name, close } of rows)
    for (const side of [0, 1])
      it(`${name} is closed on its ${side === 0 ? "second" : "first"} side too, with what was sent before`, async () => {
        const pair = connectedPair();
        const [mine, other] = [pair[side]!, pair[1 - side]!];
        const received: Buffer[] = [];
        mine.write("the last bytes");
        const closed = once(other, "close");
        other.on("data", (chunk: Buffer) => received.push(chunk));
        other.once("end", () => other.end());
        close(mine);
        if (name.includes("protocol")) other.write(Buffer.alloc(64, 0xff));
        await closed;
        expect(Buffer.concat(received).toString()).toMatch(/^the last bytes/);
        expect([mine.destroyed, other.destroyed]).toEqual([true, true]);
      });
});
