import { createVirtualClock } from "@coxswain/runtime/clock";
import { createSeededRandom, randomInt } from "@coxswain/runtime/random";
import { describe, expect, it } from "vitest";
import {
  type CachedObject,
  createExpirationCache,
  createFifo,
  createHeap,
  createIndexer,
  createStore,
  createUndeltaStore,
  indexByNamespace,
  isNewerVersion,
  keyOf,
  namespaceIndex,
} from "./index.js";

interface Pod extends CachedObject {
  readonly node?: string;
}
const pod = (key: string, node = "", resourceVersion = "1"): Pod => {
  const [namespace = "", name = ""] = key.includes("/") ? key.split("/") : ["", key];
  return { metadata: { name, resourceVersion, ...(namespace ? { namespace } : {}) }, node };
};
const keys = (pods: readonly Pod[]): string[] => pods.map(keyOf);
const byNode = (object: Pod): string[] => (object.node ? [object.node] : []);

describe("resource versions", () => {
  it("compare as numbers of any length, and texts not at all", () =>
    expect(
      [
        ["10", "9"],
        ["9", "10"],
        ["9", "9"],
        ["18446744073709551615", "9"],
        ["a", "9"],
        ["9", ""],
      ].map(([a = "", b = ""]) => isNewerVersion(a, b)),
    ).toEqual([true, false, false, true, false, false]));
});

describe("a store", () => {
  it("keeps the order in which keys came", () => {
    const store = createStore<Pod>();
    for (const key of ["b/2", "a/1", "c"]) store.add(pod(key));
    store.update(pod("b/2", "n"));
    expect(store.keys()).toEqual(["b/2", "a/1", "c"]);
    expect(store.getByKey("b/2")?.node).toBe("n");
  });

  it("knows the version it reflects only after a list", () => {
    const store = createStore<Pod>();
    store.add(pod("a", "", "7"));
    expect(store.resourceVersion).toBe("");
    store.replace([], "10");
    store.add(pod("a", "", "11"));
    expect(store.resourceVersion).toBe("11");
    store.delete(pod("a", "", "12"));
    expect(store.resourceVersion).toBe("12");
    store.bookmark("20");
    expect(store.resourceVersion).toBe("20");
  });

  it("takes names that are special to JavaScript", () => {
    const store = createStore<Pod>();
    store.add(pod("__proto__"));
    expect(store.getByKey("__proto__")).toBeDefined();
    expect(store.getByKey("constructor")).toBeUndefined();
  });
});

describe("an indexer", () => {
  it("moves an object between values and drops empty ones", () => {
    const indexer = createIndexer<Pod>({ indexers: { byNode } });
    indexer.add(pod("a/1", "n1"));
    indexer.add(pod("a/2", "n1"));
    indexer.update(pod("a/1", "n2"));
    expect(keys(indexer.byIndex("byNode", "n1"))).toEqual(["a/2"]);
    expect(indexer.keysByIndex("byNode", "n2")).toEqual(["a/1"]);
    indexer.delete(pod("a/2"));
    expect(indexer.indexValues("byNode")).toEqual(["n2"]);
  });

  it("indexes what is already there when an index is added", () => {
    const indexer = createIndexer<Pod>();
    indexer.replace([pod("a/1"), pod("b/1"), pod("a/2")], "1");
    indexer.addIndexers({ [namespaceIndex]: indexByNamespace });
    expect(keys(indexer.byIndex(namespaceIndex, "a"))).toEqual(["a/1", "a/2"]);
    expect(keys(indexer.similar(namespaceIndex, pod("b/9")))).toEqual(["b/1"]);
  });

  it("refuses another function of the same name, and an unknown index", () => {
    const indexer = createIndexer<Pod>({ indexers: { byNode } });
    indexer.addIndexers({ byNode });
    expect(() => indexer.addIndexers({ byNode: () => [] })).toThrow('the index "byNode" exists');
    expect(() => indexer.byIndex("byName", "x")).toThrow('no index "byName"; there are: byNode');
  });

  it("finds the same as a search of all, whatever happens", () => {
    const random = createSeededRandom("indexer");
    const indexer = createIndexer<Pod>({ indexers: { byNode } });
    for (let i = 0; i < 3000; i++) {
      const object = pod(`a/${randomInt(20, random)}`, ["", "n1", "n2", "n3"][randomInt(4, random)]);
      const luck = random.next();
      if (luck < 0.6) indexer.add(object);
      else if (luck < 0.98) indexer.delete(object);
      else indexer.replace([object, pod("a/0", "n1")], "1");
      for (const node of ["n1", "n2", "n3"])
        expect(keys(indexer.byIndex("byNode", node)).sort()).toEqual(
          keys(indexer.list().filter((other) => other.node === node)).sort(),
        );
    }
  });
});

describe("other stores", () => {
  it("an undelta store pushes the whole content after every change", () => {
    const pushed: string[] = [];
    const store = createUndeltaStore<Pod>((objects) => pushed.push(keys(objects).join()));
    store.add(pod("a"));
    store.update(pod("b"));
    store.delete(pod("a"));
    store.replace([pod("c"), pod("d")], "2");
    expect(pushed).toEqual(["a", "a,b", "b", "c,d"]);
  });

  it("a FIFO hands out the newest object at the place of the first", async () => {
    const fifo = createFifo<Pod>();
    fifo.replace([pod("a"), pod("b")]);
    fifo.update(pod("a", "new"));
    expect(fifo.hasSynced).toBe(false);
    expect((await fifo.pop())?.node).toBe("new");
    fifo.delete(pod("b"));
    const next = fifo.pop();
    fifo.add(pod("c"));
    expect(keyOf((await next) as Pod)).toBe("c");
    expect(fifo.hasSynced).toBe(true);
    const last = fifo.pop();
    fifo.close();
    expect(await last).toBeUndefined();
  });

  it("an aborted pop takes nothing", async () => {
    const fifo = createFifo<Pod>();
    const ending = new AbortController();
    const popped = fifo.pop(ending.signal);
    ending.abort(new Error("enough"));
    await expect(popped).rejects.toThrow("enough");
    fifo.add(pod("a"));
    expect(keyOf((await fifo.pop()) as Pod)).toBe("a");
  });

  it("a heap pops in order through additions, moves and removals", () => {
    const random = createSeededRandom("heap");
    const heap = createHeap<{ key: string; rank: number }>(
      ({ key }) => key,
      (a, b) => a.rank < b.rank || (a.rank === b.rank && a.key < b.key),
    );
    const model = new Map<string, number>();
    for (let i = 0; i < 5000; i++) {
      const key = `k${randomInt(50, random)}`;
      const rank = randomInt(10, random);
      const luck = random.next();
      if (luck < 0.6) {
        heap.add({ key, rank });
        model.set(key, rank);
      } else if (luck < 0.8) expect(heap.delete(key)).toBe(model.delete(key));
      else {
        const [least] = [...model].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1));
        expect(heap.pop()?.key).toBe(least?.[0]);
        if (least) model.delete(least[0]);
      }
      expect(heap.size).toBe(model.size);
    }
  });

  it("an expiration cache forgets after its time, counted from the last addition", async () => {
    const clock = createVirtualClock();
    const cache = createExpirationCache<Pod>({ ttlMs: 1000, clock });
    cache.add(pod("a"));
    await clock.advance(800);
    cache.add(pod("a"));
    cache.add(pod("b"));
    await clock.advance(1000);
    expect(keys(cache.list())).toEqual(["a", "b"]);
    await clock.advance(1);
    expect(cache.getByKey("a")).toBeUndefined();
    expect(cache.list()).toEqual([]);
  });
});
