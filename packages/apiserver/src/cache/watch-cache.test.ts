import { parseFieldSelector, parseLabelSelector } from "@coxswain/apimachinery/selector";
import { podKind } from "@coxswain/kinds/core/pod";
import { systemClock } from "@coxswain/runtime/clock";
import type { KeyRecord } from "@coxswain/storage";
import { describe, expect, it } from "vitest";
import { bytesOf, type CacheEntry } from "./cache-entry.js";
import type { Delivery } from "./cache-event.js";
import { createEntryReader } from "./entry-reader.js";
import { parseEntry } from "./parse-entry.js";
import type { Selection } from "./selection.js";
import { WatchCache, type WatchCacheOptions, type WatchFrom } from "./watch-cache.js";

const key = (name: string): string => `/registry/pods/default/${name}`;
const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

function record(name: string, revision: number, { app = "a", node = "" } = {}): KeyRecord {
  const value = encode({
    kind: "Pod",
    apiVersion: "v1",
    metadata: { name, namespace: "default", uid: "u", labels: { app } },
    spec: { nodeName: node },
    status: {},
  });
  return { key: key(name), value, revision, createRevision: 1, version: 1 };
}

function createCache(content: WatchCacheOptions["content"] = [], revision = 10): WatchCache {
  return new WatchCache({
    kind: podKind,
    reader: createEntryReader(podKind),
    clock: systemClock,
    revision,
    content,
    watcherLimits: { maxEventsBehind: 5, maxBytesBehind: 1 << 20 },
  });
}

const put = (cache: WatchCache, written: KeyRecord): void =>
  cache.apply({ type: "put", key: written.key, revision: written.revision, record: written, previous: undefined });
const remove = (cache: WatchCache, name: string, revision: number): void =>
  cache.apply({ type: "delete", key: key(name), revision, record: undefined, previous: undefined });

function selection({ labels = "", fields = "", namespace = "", name = "" } = {}): Selection {
  return {
    namespace,
    name,
    labels: labels === "" ? undefined : parseLabelSelector(labels),
    fields: fields === "" ? undefined : parseFieldSelector(fields),
    id: JSON.stringify([labels, fields, namespace, name]),
  };
}

/** A watcher that writes down what it gets. `block` makes it full after each delivery. */
function watch(cache: WatchCache, from: WatchFrom, wanted = selection(), block?: () => Promise<void>) {
  const seen: string[] = [];
  const batches: (readonly Delivery[])[] = [];
  const watcher = cache.watch(wanted, from, {
    deliver(events) {
      batches.push(events);
      for (const { type, entry } of events)
        seen.push(
          `${type} ${entry.name}@${(JSON.parse(new TextDecoder().decode(bytesOf(entry))) as { metadata: { resourceVersion: string } }).metadata.resourceVersion}`,
        );
      return block?.();
    },
    bookmark: (revision, initial) => seen.push(initial ? `BOOKMARK ${revision} initial` : `BOOKMARK ${revision}`),
    end: (reason) => seen.push(`end: ${reason}`),
  });
  return { seen, batches, watcher };
}

describe("the watch cache", () => {
  it("sends what is there, marks its end, then what follows", () => {
    const cache = createCache([record("a", 3), record("b", 5)]);
    const { seen } = watch(cache, { now: true, mark: true });
    put(cache, record("c", 11));
    cache.flush();
    expect(seen).toEqual(["ADDED a@3", "ADDED b@5", "BOOKMARK 10 initial", "ADDED c@11"]);
  });

  it("begins in the past where it still knows it, and reports where it does not", () => {
    const cache = createCache();
    put(cache, record("a", 11));
    put(cache, record("a", 12));
    remove(cache, "a", 13);
    cache.flush();
    expect(watch(cache, { after: 11 }).seen).toEqual(["MODIFIED a@12", "DELETED a@13"]);
    expect(watch(cache, { after: 13 }).seen).toEqual([]);
    expect(watch(cache, { after: 9 }).watcher).toBeUndefined();
  });

  it("an object that begins to match is ADDED, one that stops is DELETED with its last matching state", () => {
    const cache = createCache([record("a", 3, { app: "x" })]);
    const { seen } = watch(cache, { after: 10 }, selection({ labels: "app=y" }));
    put(cache, record("a", 11, { app: "y" }));
    put(cache, record("a", 12, { app: "y" }));
    put(cache, record("a", 13, { app: "x" }));
    cache.flush();
    expect(seen).toEqual(["ADDED a@11", "MODIFIED a@12", "DELETED a@13"]);
  });

  it("a watcher of one node receives pods that come to it and leave it, and of no other", () => {
    const cache = createCache();
    const { seen } = watch(cache, { after: 10 }, selection({ fields: "spec.nodeName=n1" }));
    put(cache, record("a", 11));
    put(cache, record("a", 12, { node: "n1" }));
    put(cache, record("b", 13, { node: "n2" }));
    put(cache, record("a", 14, { node: "n2" }));
    cache.flush();
    expect(seen).toEqual(["ADDED a@12", "DELETED a@14"]);
  });

  it("those who want the same get the same array: encoded once", () => {
    const cache = createCache();
    const one = watch(cache, { after: 10 });
    const two = watch(cache, { after: 10 });
    put(cache, record("a", 11));
    put(cache, record("b", 12));
    cache.flush();
    expect(one.batches).toHaveLength(1);
    expect(one.batches[0]).toBe(two.batches[0]);
  });

  it("a new watcher gets no event twice that was queued before it was added", () => {
    const cache = createCache();
    watch(cache, { after: 10 });
    put(cache, record("a", 11));
    const late = watch(cache, { now: true, mark: false });
    cache.flush();
    expect(late.seen).toEqual(["ADDED a@11"]);
  });

  it("a slow watcher is cut and holds up nobody", async () => {
    const cache = createCache();
    let free: () => void = () => {};
    const slow = watch(cache, { after: 10 }, selection(), () => new Promise((resolve) => (free = resolve)));
    const quick = watch(cache, { after: 10 });
    for (let revision = 11; revision <= 20; revision++) {
      put(cache, record("a", revision));
      cache.flush();
    }
    expect(slow.seen).toEqual(["ADDED a@11", "end: slow"]);
    expect(quick.seen).toHaveLength(10);
    expect(cache.watcherCount).toBe(1);
    free();
  });

  it("one that was full for a moment gets the rest in order", async () => {
    const cache = createCache();
    let free: () => void = () => {};
    const { seen } = watch(
      cache,
      { after: 10 },
      selection(),
      () => (free === undefined ? undefined : new Promise((resolve) => (free = resolve))) as Promise<void>,
    );
    for (let revision = 11; revision <= 13; revision++) {
      put(cache, record("a", revision));
      cache.flush();
    }
    free();
    await Promise.resolve();
    await Promise.resolve();
    expect(seen).toEqual(["ADDED a@11", "MODIFIED a@12", "MODIFIED a@13"]);
  });

  it("bookmarks carry the revision when nothing of the resource happens", () => {
    const cache = createCache();
    const { seen } = watch(cache, { after: 10 });
    cache.advance(99);
    cache.bookmark();
    expect(seen).toEqual(["BOOKMARK 99"]);
  });

  it("a snapshot does not change", () => {
    const cache = createCache([record("a", 3)]);
    const snapshot = cache.snapshot();
    remove(cache, "a", 11);
    expect(snapshot.get(key("a"))?.revision).toBe(3);
    expect(cache.get(key("a"))).toBeUndefined();
  });

  it("a fork begins with the same content and past, shares parsed objects, and goes its own way", () => {
    const cache = createCache([record("a", 3), record("b", 5)]);
    put(cache, record("b", 11));
    const bytes = cache.bytes;
    const fork = createCache(cache.fork(), 11);
    const entryOf = (of: WatchCache, name: string): CacheEntry => of.get(key(name)) as CacheEntry;
    expect(parseEntry(entryOf(fork, "a"))).toBe(parseEntry(entryOf(cache, "a")));
    remove(fork, "a", 12);
    put(cache, record("a", 12, { app: "other" }));
    put(cache, record("b", 13, { app: "long enough to need another size" }));
    expect(watch(fork, { after: 10 }).seen).toEqual(["MODIFIED b@11", "DELETED a@12"]);
    expect(watch(cache, { after: 10 }).seen).toEqual(["MODIFIED b@11", "MODIFIED a@12", "MODIFIED b@13"]);
    expect(watch(fork, { now: true, mark: false }).seen).toEqual(["ADDED b@11"]);
    expect(fork.bytes).toBeLessThan(bytes);
    expect(cache.bytes).toBeGreaterThan(bytes);
    expect(watch(fork, { after: 9 }).watcher).toBeUndefined();
    remove(fork, "b", 13);
    expect(fork.bytes).toBe(0);
  });
});
