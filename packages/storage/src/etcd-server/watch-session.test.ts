import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../memory/index.js";
import type { WatchCreate, WatchResponse } from "./messages.js";
import { WatchSession } from "./watch-session.js";

const bytes = (value: string): Uint8Array => Buffer.from(value);
const all: WatchCreate = {
  key: bytes("\0"),
  range_end: bytes("\0"),
  start_revision: 0,
  progress_notify: false,
  filters: [],
  prev_kv: false,
  watch_id: 0,
  fragment: false,
};

/** A stream's responses, with three writes before it. */
async function open() {
  const store = createMemoryStore({ runtime: systemRuntime() });
  for (const key of ["/a", "/b", "/c"]) await store.put({ key, value: bytes("1"), expected: 0 });
  const sent: Partial<WatchResponse>[] = [];
  const session = new WatchSession({
    store,
    clock: systemClock,
    leaseName: (lease) => BigInt(lease),
    send: async (response) => void sent.push(response),
    onOverflow: () => {},
  });
  const keysSent = (): string[] =>
    sent.flatMap(({ events = [] }) => events.map(({ kv }) => Buffer.from(kv?.key ?? "").toString()));
  return { store, session, sent, keysSent };
}

describe("watches by etcd's protocol", () => {
  it("one from a negative revision is refused as one of a compacted revision", async () => {
    const { session, sent } = await open();
    await session.create({ ...all, start_revision: -50 });
    expect(sent).toEqual([
      {
        header: { revision: 4 },
        watch_id: -1,
        created: true,
        canceled: true,
        cancel_reason: "etcdserver: mvcc: required revision has been compacted",
      },
    ]);
    session.close();
  });
  it("one from the first revision has everything", async () => {
    const { session, keysSent } = await open();
    await session.create({ ...all, start_revision: 1 });
    await expect.poll(keysSent).toEqual(["/a", "/b", "/c"]);
    session.close();
  });
  it("one from a revision of the future has what happens from then on", async () => {
    const { store, session, keysSent } = await open();
    await session.create({ ...all, start_revision: 6 });
    for (const key of ["/five", "/six"]) await store.put({ key, value: bytes("1"), expected: 0 });
    await expect.poll(keysSent).toEqual(["/six"]);
    session.close();
  });
  it("progress is reported for what has been delivered, not for what was written while a watch catches up", async () => {
    const { store, session, sent } = await open();
    const write = (key: string) => store.put({ key, value: bytes("1"), expected: 0 });
    // Catching up goes in portions of 500 changes, and the second one ends where the watch began.
    for (let at = 4; at <= 1000; at++) await write(`/${at}`);
    await session.create({ ...all, start_revision: 1 });
    void session.askForProgress();
    for (let at = 0; at < 40; at++) await write(`/later/${at}`);
    const progressAt = (): number => sent.findIndex(({ watch_id, created }) => watch_id === -1 && !created);
    await expect.poll(progressAt).toBeGreaterThan(0);
    const before = sent.slice(0, progressAt()).flatMap(({ events = [] }) => events);
    const { header } = sent[progressAt()] ?? {};
    expect(before.length).toBe((header?.revision ?? 0) - 1);
    session.close();
  });
  it("no progress is reported before the end of a watch whose revision is compacted", async () => {
    const { store, session, sent } = await open();
    await store.compact(4);
    await session.create({ ...all, start_revision: 2 });
    for (let at = 0; at < 20; at++) {
      void session.askForProgress();
      await Promise.resolve();
    }
    await expect.poll(() => sent.length).toBeGreaterThan(2);
    const kinds = sent.map(({ created, canceled }) => (created ? "created" : canceled ? "canceled" : "progress"));
    expect(kinds.slice(0, 3)).toEqual(["created", "canceled", "progress"]);
    session.close();
  });
});
