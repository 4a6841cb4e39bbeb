import assert from "node:assert/strict";
import type { Turns } from "@coxswain/wire/turns";
import { describe, it } from "vitest";
import { CommitQueue } from "./commit-queue.js";
import type { Batch, IndexEntry } from "./journal.js";
import { StoreError } from "../store-error.js";
import { nextTurn } from "./next-turn.js";

/** A queue over a disk that answers at once, and the sizes of the batches it was given. */
function gatheringQueue(): { queue: CommitQueue<IndexEntry>; batches: number[] } {
  const batches: number[] = [];
  const batch: Batch<IndexEntry> = { revision: 1, changes: [], leases: [], compacted: undefined };
  const queue = new CommitQueue<IndexEntry>({
    gathers: true,
    plan: (requests) => {
      batches.push(requests.length);
      return { batch, outcomes: requests.map(() => ({ kind: "done", revision: 1, previous: undefined })) };
    },
    append: () => undefined,
    publish: () => undefined,
    onFailed: () => undefined,
  });
  return { queue, batches };
}

describe("a queue that gathers", () => {
  const submit = (queue: CommitQueue<IndexEntry>): Promise<unknown> =>
    queue.submit({ do: "compact", revision: 1 }, () => undefined);

  /** One comes in each turn. */
  async function comeTurnByTurn(queue: CommitQueue<IndexEntry>, count: number): Promise<void> {
    const writes: Promise<unknown>[] = [];
    for (let i = 0; i < count; i++) {
      writes.push(submit(queue));
      await nextTurn();
    }
    await Promise.all(writes);
  }

  it("takes one that is alone after a turn", async () => {
    const { queue, batches } = gatheringQueue();
    const write = submit(queue);
    await nextTurn();
    await nextTurn();
    assert.deepEqual(batches, [1]);
    await write;
  });

  it("waits for those who come in the turns after it, as long as some do", async () => {
    const { queue, batches } = gatheringQueue();
    await comeTurnByTurn(queue, 5);
    assert.deepEqual(batches, [5]);
  });

  it("does not wait for ever", async () => {
    const { queue, batches } = gatheringQueue();
    await comeTurnByTurn(queue, 20);
    assert.equal(
      batches.reduce((sum, size) => sum + size, 0),
      20,
    );
    assert.ok(
      batches.every((size) => size <= 10),
      batches.join(),
    );
  });
});

describe("a queue that shares its turns", () => {
  const request = { do: "compact", revision: 1 } as const;

  /** A queue over a disk that takes as long as it is told to. */
  function slowQueue({ isBusy = false, compacted }: { isBusy?: boolean; compacted?: number } = {}) {
    const written: ((result?: PromiseLike<never>) => void)[] = [];
    const batch: Batch<IndexEntry> = { revision: 1, changes: [], leases: [], compacted };
    const told: string[] = [];
    const coming: (() => void)[] = [];
    const turns = {
      enlist: () => told.push("answers"),
      noteJam: (isJammed: boolean) => told.push(isJammed ? "jam" : "no jam"),
      come: () => new Promise<void>((resolve) => (isBusy ? coming.push(resolve) : resolve())),
    };
    const queue = new CommitQueue<IndexEntry>(
      {
        gathers: false,
        plan: (requests) => {
          told.push("plan");
          return { batch, outcomes: requests.map(() => ({ kind: "done", revision: 1, previous: undefined })) };
        },
        append: () => new Promise<void>((resolve) => written.push(resolve)),
        publish: () => told.push("publish"),
        onFailed: () => undefined,
      },
      turns as unknown as Turns,
    );
    return { queue, told, written, coming };
  }

  it("plans when it is its turn, and so it publishes", async () => {
    const { queue, told, written, coming } = slowQueue({ isBusy: true });
    const steps = async (act: () => void): Promise<string[]> => {
      told.length = 0;
      act();
      await nextTurn();
      return told.filter((what) => !what.endsWith("jam"));
    };
    assert.deepEqual(await steps(() => void queue.submit(request, () => undefined)), []);
    assert.deepEqual(await steps(() => coming[0]!()), ["plan"]);
    assert.deepEqual(await steps(() => written[0]!()), []);
    assert.deepEqual(await steps(() => coming[1]!()), ["publish", "answers"]);
  });

  it("publishes a compaction at once: the journal acts on it, and readers must know", async () => {
    const { queue, told, written, coming } = slowQueue({ isBusy: true, compacted: 1 });
    void queue.submit(request, () => undefined);
    await nextTurn();
    coming[0]!();
    await nextTurn();
    written[0]!();
    await nextTurn();
    assert.deepEqual(told.slice(-2), ["publish", "answers"]);
  });

  it("tells of a jam when many wait behind a batch, and of its end", async () => {
    const { queue, told, written } = slowQueue();
    void queue.submit(request, () => undefined);
    await nextTurn();
    for (let i = 0; i < 16; i++) void queue.submit(request, () => undefined);
    assert.deepEqual([told.filter((what) => what === "jam").length, told.at(-1)], [1, "jam"]);
    written[0]?.();
    await nextTurn();
    assert.deepEqual(told.slice(-4), ["publish", "answers", "no jam", "plan"]);
  });

  for (const [name, end] of [
    ["some give up", (_queue: CommitQueue<IndexEntry>, client: AbortController) => client.abort()],
    [
      "the store fails",
      (queue: CommitQueue<IndexEntry>) => queue.fail(new StoreError("outcome-unknown", "the disk is gone")),
    ],
  ] as const)
    it(`tells that a jam is over when ${name}`, async () => {
      const { queue, told } = slowQueue();
      const client = new AbortController();
      for (let i = 0; i < 20; i++) queue.submit(request, () => undefined, client.signal).catch(() => undefined);
      await nextTurn();
      for (let i = 0; i < 20; i++) queue.submit(request, () => undefined, client.signal).catch(() => undefined);
      assert.equal(told.at(-1), "jam");
      end(queue, client);
      assert.equal(told.at(-1), "no jam");
    });
});
