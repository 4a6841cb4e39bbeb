import { describe, expect, it } from "vitest";
import { type CachedObject, createIndexer, keyOf } from "../stores/index.js";
import { applyDeltas } from "./apply-deltas.js";
import type { Delta } from "./delta.js";
import { createDeltaFifo } from "./delta-fifo.js";
import type { DeltaQueue } from "./delta-queue.js";
import { createInOrderFifo } from "./in-order-fifo.js";

const thing = (name: string, resourceVersion = "1"): CachedObject => ({ metadata: { name, resourceVersion } });
const show = (delta: Delta<CachedObject>): string => {
  if ("objects" in delta) return `${delta.type}[${delta.objects.map(keyOf).join()}]@${delta.resourceVersion}`;
  if (delta.type === "SyncAll") return "SyncAll";
  if (delta.type === "Bookmark") return `Bookmark@${delta.resourceVersion}`;
  const lost = delta.type === "Deleted" && delta.finalStateUnknown ? "?" : "";
  return `${delta.type}${lost} ${keyOf(delta.object)}@${delta.object.metadata?.resourceVersion}`;
};

/** Everything in the queue, one text per pop. */
function popAll(queue: DeltaQueue<CachedObject>): string[] {
  const popped: string[] = [];
  while (queue.pop((deltas) => popped.push(deltas.map(show).join(" ")))) continue;
  return popped;
}

/** What every queue promises, whatever the order in which it hands things out. */
function describeDeltaQueue(
  name: string,
  open: (known: ReturnType<typeof createIndexer<CachedObject>>) => DeltaQueue<CachedObject>,
) {
  describe(`a delta queue: ${name}`, () => {
    const setUp = () => {
      const indexer = createIndexer<CachedObject>();
      const queue = open(indexer);
      const seen: string[] = [];
      const drain = (): void => {
        const sink = {
          added: (object: CachedObject, initial: boolean) => seen.push(`add${initial ? "!" : ""} ${keyOf(object)}`),
          updated: (_old: CachedObject, object: CachedObject) => seen.push(`update ${keyOf(object)}`),
          deleted: (object: CachedObject, lost: boolean) => seen.push(`delete${lost ? "?" : ""} ${keyOf(object)}`),
        };
        while (queue.pop((deltas, initial) => applyDeltas(indexer, deltas, initial, sink))) continue;
      };
      return { indexer, queue, seen, drain };
    };

    it("hands out nothing when nothing waits", () => expect(setUp().queue.pop(() => {})).toBe(false));

    it("is synced once the first list was processed, and not before", () => {
      const { queue, drain, seen } = setUp();
      expect(queue.hasSynced).toBe(false);
      queue.replace([thing("a"), thing("b")], "5");
      expect(queue.hasSynced).toBe(false);
      drain();
      expect(queue.hasSynced).toBe(true);
      expect(seen).toEqual(["add! a", "add! b"]);
    });

    it("is synced by an empty list", () => {
      const { queue, drain } = setUp();
      queue.replace([], "5");
      drain();
      expect(queue.hasSynced).toBe(true);
    });

    it("finds deletions that were missed", () => {
      const { indexer, queue, drain, seen } = setUp();
      queue.replace([thing("a"), thing("b")], "5");
      drain();
      seen.length = 0;
      queue.add(thing("c", "6"));
      queue.replace([thing("b", "7")], "9");
      drain();
      expect(indexer.keys()).toEqual(["b"]);
      // The classic queue never hands out c, which came and went; in order it was there for a moment.
      expect(seen.filter((line) => !line.endsWith(" c")).sort()).toEqual(["delete? a", "update b"]);
    });

    it("hands out every known object at a resync", () => {
      const { queue, drain, seen } = setUp();
      queue.replace([thing("a"), thing("b")], "5");
      drain();
      seen.length = 0;
      queue.resync();
      drain();
      expect(seen).toEqual(["update a", "update b"]);
    });

    it("deltas are gone even if processing them fails", () => {
      const { queue } = setUp();
      queue.add(thing("a"));
      expect(() =>
        queue.pop(() => {
          throw new Error("no");
        }),
      ).toThrow("no");
      expect(queue.size).toBe(0);
    });
  });
}

describeDeltaQueue("in order", () => createInOrderFifo<CachedObject>());
describeDeltaQueue("classic", (known) => createDeltaFifo<CachedObject>({ keyOf, known }));

describe("the in-order FIFO", () => {
  it("keeps the order, and hands out changes together but lists, resyncs and bookmarks alone", () => {
    const queue = createInOrderFifo<CachedObject>();
    queue.replace([thing("a")], "5");
    queue.add(thing("b", "6"));
    queue.update(thing("b", "7"));
    queue.bookmark("8");
    queue.delete(thing("b", "9"));
    queue.resync();
    expect(popAll(queue)).toEqual([
      "ReplacedAll[a]@5",
      "Added b@6 Updated b@7",
      "Bookmark@8",
      "Deleted b@9",
      "SyncAll",
    ]);
  });

  it("hands out at most a thousand changes at once", () => {
    const queue = createInOrderFifo<CachedObject>();
    for (let i = 0; i < 2500; i++) queue.add(thing(`t${i}`));
    const sizes: number[] = [];
    while (queue.pop((deltas) => sizes.push(deltas.length))) continue;
    expect(sizes).toEqual([1000, 1000, 500]);
  });
});

describe("the classic FIFO", () => {
  it("hands out all changes of one object together, at the place of the first", () => {
    const queue = createDeltaFifo<CachedObject>({ keyOf });
    queue.add(thing("a", "1"));
    queue.add(thing("b", "2"));
    queue.update(thing("a", "3"));
    queue.delete(thing("a", "4"));
    expect(popAll(queue)).toEqual(["Added a@1 Updated a@3 Deleted a@4", "Added b@2"]);
  });

  it("makes one of two deletions and keeps the one that knows the final state", () => {
    const queue = createDeltaFifo<CachedObject>({ keyOf });
    queue.add(thing("a", "1"));
    queue.delete(thing("a", "2"));
    queue.replace([], "3");
    expect(popAll(queue)).toEqual(["Added a@1 Deleted a@2"]);
  });

  it("does not report a deletion that a list has reported", () => {
    const queue = createDeltaFifo<CachedObject>({ keyOf, known: createIndexer<CachedObject>() });
    queue.delete(thing("a"));
    expect(queue.size).toBe(0);
  });

  it("a resync leaves objects with waiting changes alone", () => {
    const known = createIndexer<CachedObject>();
    known.replace([thing("a", "1"), thing("b", "1")], "1");
    const queue = createDeltaFifo<CachedObject>({ keyOf, known });
    queue.update(thing("a", "2"));
    queue.resync();
    expect(popAll(queue)).toEqual(["Updated a@2", "Sync b@1"]);
  });
});
