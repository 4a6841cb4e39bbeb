import assert from "node:assert/strict";
import { systemRuntime } from "@coxswain/runtime";
import { macrotask } from "@coxswain/runtime/event-loop";
import type { Scheduler } from "@coxswain/runtime/scheduler";
import { describe, it } from "vitest";
import { StoreError } from "../contract/store-error.js";
import { CommitQueue } from "./commit-queue.js";
import type { Batch, IndexEntry } from "./journal.js";

/** A queue over a disk that answers at once, or when `disk` resolves, and the sizes of the batches it was given. */
function gatheringQueue({ disk }: { disk?: Promise<void> } = {}): {
  queue: CommitQueue<IndexEntry>;
  batches: number[];
} {
  const batches: number[] = [];
  const batch: Batch<IndexEntry> = { revision: 1, changes: [], leases: [], compacted: undefined };
  const queue = new CommitQueue<IndexEntry>(
    {
      gathers: true,
      plan: (requests) => {
        batches.push(requests.length);
        return { batch, outcomes: requests.map(() => ({ kind: "done", revision: 1, previous: undefined })) };
      },
      append: () => disk,
      publish: () => undefined,
      onFailed: () => undefined,
    },
    systemRuntime().scheduler,
  );
  return { queue, batches };
}

describe("a commit queue that gathers", () => {
  const submit = (queue: CommitQueue<IndexEntry>): Promise<unknown> =>
    queue.submit({ do: "compact", revision: 1 }, () => undefined);

  /** Submits one write in each iteration. */
  async function submitOneByOne(queue: CommitQueue<IndexEntry>, count: number): Promise<void> {
    const writes: Promise<unknown>[] = [];
    for (let i = 0; i < count; i++) {
      writes.push(submit(queue));
      await macrotask();
    }
    await Promise.all(writes);
  }

  /** Two at once: from now on the queue expects others. */
  async function submitTogether(queue: CommitQueue<IndexEntry>): Promise<void> {
    await Promise.all([submit(queue), submit(queue)]);
  }

  it("commits the write of a writer who is alone without an iteration of the event loop", async () => {
    const { queue, batches } = gatheringQueue();
    for (let round = 1; round <= 3; round++) {
      const write = submit(queue);
      for (let job = 0; job < 10; job++) await Promise.resolve(); // promise jobs alone
      assert.equal(batches.length, round);
      await write;
      await macrotask();
    }
    assert.deepEqual(batches, [1, 1, 1]);
  });

  it("waits for writes of the next iterations after a batch of several, as long as there are some", async () => {
    const { queue, batches } = gatheringQueue();
    await submitTogether(queue);
    await submitOneByOne(queue, 5);
    assert.deepEqual(batches, [2, 5]);
  });

  it("expects others when a write waited behind one that was alone, and no longer when the next batch has one write", async () => {
    let sync: () => void = () => undefined;
    const { queue, batches } = gatheringQueue({ disk: new Promise((resolve) => (sync = resolve)) });
    const first = submit(queue);
    await macrotask();
    const behind = submit(queue);
    sync();
    await first;
    await submitOneByOne(queue, 2);
    await behind;
    assert.deepEqual(batches, [1, 3]);
    await submit(queue);
    await macrotask();
    const alone = submit(queue);
    for (let job = 0; job < 10; job++) await Promise.resolve();
    assert.deepEqual(batches, [1, 3, 1, 1]);
    await alone;
  });

  it("does not wait once a batch is full: an iteration may take long in a process that has other work", async () => {
    const { queue, batches } = gatheringQueue();
    const writes = Array.from({ length: 128 }, () => submit(queue));
    for (let job = 0; job < 10; job++) await Promise.resolve(); // promise jobs alone, no iteration of the event loop
    assert.deepEqual(batches, [128]);
    await Promise.all(writes);
  });

  it("does not wait for ever", async () => {
    const { queue, batches } = gatheringQueue();
    await submitTogether(queue);
    await submitOneByOne(queue, 20);
    assert.equal(
      batches.reduce((sum, size) => sum + size, 0),
      22,
    );
    assert.ok(
      batches.every((size) => size <= 10),
      batches.join(),
    );
  });
});

describe("a commit queue with a scheduler", () => {
  const request = { do: "compact", revision: 1 } as const;
  const put = { key: "/leases/a", value: new Uint8Array(), expected: 0 };
  const batch: Batch<IndexEntry> = { revision: 1, changes: [], leases: [], compacted: undefined };

  /** A queue whose time slice is used up after every answer. */
  function slicedQueue() {
    const resumes: (() => void)[] = [];
    const answered: number[] = [];
    const queue = new CommitQueue<IndexEntry>(
      {
        gathers: true,
        plan: (requests) => ({
          batch,
          outcomes: requests.map(() => ({ kind: "done", revision: 1, previous: undefined })),
        }),
        append: () => undefined,
        publish: () => undefined,
        onFailed: () => undefined,
      },
      {
        setBackpressure() {},
        nextIteration: () => Promise.resolve(),
        yield: () => new Promise<void>((resolve) => resumes.push(resolve)),
      } as unknown as Scheduler,
    );
    const submit = (number: number): void => void queue.submit(request, () => answered.push(number));
    const submitUrgent = (number: number): void =>
      void queue.submit({ do: "put", write: { ...put, urgent: true } }, () => answered.push(number));
    const resume = async (): Promise<number[]> => {
      resumes.shift()?.();
      await macrotask();
      return [...answered];
    };
    return { queue, submit, submitUrgent, resume, answered };
  }

  it("answers the writers of a batch in several time slices, in their order", async () => {
    const { submit, resume, answered } = slicedQueue();
    for (const number of [1, 2, 3]) submit(number);
    await macrotask();
    assert.deepEqual(answered, [1]);
    assert.deepEqual(await resume(), [1, 2]);
    submit(4);
    assert.deepEqual(await resume(), [1, 2, 3]);
    assert.deepEqual(await resume(), [1, 2, 3, 4]);
  });

  it("answers an urgent write while the writers of an earlier batch still wait", async () => {
    const { submit, submitUrgent, resume, answered } = slicedQueue();
    for (const number of [1, 2, 3]) submit(number);
    await macrotask();
    submitUrgent(4);
    await macrotask();
    assert.deepEqual(answered, [1, 4]);
    while (answered.length < 4) await resume();
    assert.deepEqual(answered, [1, 4, 2, 3]);
  });

  it("is drained when all writers are answered", async () => {
    const { queue, submit, resume } = slicedQueue();
    for (const number of [1, 2]) submit(number);
    await macrotask();
    let isDrained = false;
    void queue.drain(new StoreError("closed", "the store is closed")).then(() => (isDrained = true));
    await macrotask();
    assert.equal(isDrained, false);
    await resume();
    await resume();
    assert.equal(isDrained, true);
  });
});
