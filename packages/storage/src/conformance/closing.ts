import assert from "node:assert/strict";
import { bytes } from "./bytes.js";
import { follow } from "./follow.js";
import type { Check } from "./store-under-test.js";
import { rejectsWith, revisionOf, write } from "./writing.js";

export const closingChecks: readonly Check[] = [
  {
    title: "closing finishes what is pending and ends the watches",
    async body({ store }) {
      const watch = follow(store, { prefix: "/", from: await revisionOf(store) });
      const pending = Array.from({ length: 10 }, (_, i) => write(store, `/k${i}`, "v"));
      await store.close();
      await Promise.all(pending);
      await watch.ended;
    },
  },
  {
    title: "a closed store rejects every call",
    async body({ store }) {
      await write(store, "/a", "1");
      await store.close();
      await store.close();
      const signal = new AbortController().signal;
      const calls: Promise<unknown>[] = [
        store.get("/a"),
        store.range({ prefix: "/" }),
        store.put({ key: "/b", value: bytes("1"), expected: 0 }),
        store.delete({ key: "/a", expected: 1 }),
        store.transaction([{ op: "check", key: "/a", expected: 1 }]),
        store.watch({ prefix: "/", from: 1 }, () => undefined, signal),
        store.compact(1),
        Promise.resolve(store.readRevision()),
        store.history("/a"),
        store.snapshot(),
        store.status(),
        store.leases.grant(1000),
        store.leases.keepAlive(1),
        store.leases.revoke(1),
      ];
      for (const call of calls) await rejectsWith(call, "closed");
      assert.equal(calls.length, 14);
    },
  },
];
