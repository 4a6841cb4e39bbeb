import { systemRuntime, testRuntime } from "@coxswain/runtime";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { createMemoryStore } from "@coxswain/storage/memory";
import { describe, expect, it } from "vitest";
import { createByteRequester } from "../in-process/byte-requester.js";
import { startApiServer } from "./api-server.js";

describe("the end of watches", () => {
  /** A server with so many watches, and a promise for the end of one of them. */
  async function watched(count: number) {
    const clock = createVirtualClock();
    const server = await startApiServer({
      runtime: testRuntime(1, { clock, ioClock: clock }),
      store: createMemoryStore({ runtime: systemRuntime() }),
    });
    const ended: number[] = [];
    const request = createByteRequester(server, { name: "admin", groups: ["system:masters"] });
    const ends: Promise<void>[] = [];
    for (let at = 0; at < count; at += 1) {
      const { body } = await request({
        method: "GET",
        path: "/api/v1/namespaces?watch=true",
        headers: {},
        signal: new AbortController().signal,
      });
      ends.push(
        (async () => {
          for await (const chunk of body) void chunk;
          ended.push(at);
        })(),
      );
    }
    return { clock, server, ended, ends };
  }
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };

  it("one after the other, evenly over the grace period", async () => {
    const { clock, server, ended, ends } = await watched(4);
    const stopped = server.stop({ watchGraceMs: 8_000 });
    for (let at = 0; at < 4; at += 1) {
      await ends[at];
      await turns();
      expect(ended).toHaveLength(at + 1);
      await clock.advance(1_999);
      await turns();
      expect(ended).toHaveLength(at + 1);
      await clock.advance(1);
    }
    await stopped;
  });

  it("all at once where there is none", async () => {
    const { server, ended, ends } = await watched(3);
    await server.stop();
    await Promise.all(ends);
    expect(ended).toHaveLength(3);
  });
});
