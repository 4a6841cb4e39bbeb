import assert from "node:assert/strict";
import type { KeyRecord, KeyValueStore, TransactionResult, Write } from "../../contract/key-value-store.js";
import { bytes, text } from "../bytes.js";
import { type Followed, follow } from "../follow.js";
import type { OpenedStore } from "../store-under-test.js";
import { rejectsWith } from "../writing.js";
import { type ModelRecord, ModelStore } from "./model-store.js";
import { type Expectation, keyNames, type Look, type Operation, prefixes, type Step } from "./operations.js";

interface Watching {
  readonly followed: Followed;
  readonly prefix: string;
  readonly from: number;
}

/** Carries the steps out on a fresh store and compares every answer with the model's. Rejects at the first difference. */
export async function runSteps(opened: OpenedStore, steps: readonly Step[]): Promise<void> {
  let store = opened.store;
  const model = new ModelStore((await store.status()).revision);
  model.compacted = (await store.status()).compactedRevision;
  let watches: Watching[] = [];
  let written = 0;
  for (const { together, look: then } of steps) {
    const writes = together.map((operation) => writesOf(operation, model, () => `v${written++}`));
    await compareWrites(store, model, writes);
    if (then.do === "reopen") {
      if (opened.reopen === undefined) continue;
      await compareWatches(watches, model);
      await store.close();
      await Promise.all(watches.map(({ followed }) => followed.ended));
      watches = [];
      store = await opened.reopen();
      continue;
    }
    await look(store, model, then, watches);
  }
  await compareWatches(watches, model);
  await Promise.all(watches.map(({ followed }) => followed.stop()));
  if (store !== opened.store) await store.close();
}

function writesOf(operation: Operation, model: ModelStore, value: () => string): Write[] {
  const now = model.now();
  const revisionFor = (key: string, expected: Expectation): number => {
    if (expected === "current") return now.get(key)?.revision ?? 0;
    if (expected === "none") return 0;
    return model.events.find((event) => event.key === key)?.revision ?? 1;
  };
  if (operation.do === "put") {
    const key = keyNames[operation.key]!;
    return [{ op: "put", key, value: bytes(value()), expected: revisionFor(key, operation.expected) }];
  }
  if (operation.do === "delete") {
    const key = keyNames[operation.key]!;
    return [{ op: "delete", key, expected: revisionFor(key, operation.expected) }];
  }
  return operation.keys.map((index, i): Write => {
    const key = keyNames[index]!;
    const expected = revisionFor(key, operation.expected[i]!);
    if (i % 3 === 2) return { op: "check", key, expected };
    return i % 3 === 1 && expected > 0
      ? { op: "delete", key, expected }
      : { op: "put", key, value: bytes(value()), expected };
  });
}

/** Those that were written must fit together in the order of their revisions; those that lost must have lost to something true. */
async function compareWrites(
  store: KeyValueStore,
  model: ModelStore,
  together: readonly (readonly Write[])[],
): Promise<void> {
  const before = model.revision;
  const results = await Promise.all(together.map((writes) => carryOut(store, writes)));
  const done = results.flatMap((result, i) =>
    result.kind === "written" && together[i]!.some(({ op }) => op !== "check")
      ? [{ revision: result.revision, writes: together[i]! }]
      : [],
  );
  for (const { revision, writes } of done.sort((a, b) => a.revision - b.revision)) {
    assert.ok(revision > model.revision, `revision ${revision} was given after ${model.revision}`);
    const now = model.now();
    for (const { op, key, expected } of writes) {
      assert.equal(
        now.get(key)?.revision ?? 0,
        expected,
        `${op} ${key} was written over another revision than expected`,
      );
      assert.ok(op !== "delete" || now.has(key), `delete of ${key}, which was not there, succeeded`);
    }
    model.write(
      revision,
      writes
        .filter(({ op }) => op !== "check")
        .map((one) => ({ key: one.key, value: one.op === "put" ? text(one.value) : undefined })),
    );
  }
  for (const [i, result] of results.entries()) {
    if (result.kind !== "conflict") continue;
    const lost = together[i]![result.index]!;
    const truths = statesBetween(model, lost.key, before);
    const seen = result.current && summaryOf(result.current);
    assert.ok(
      truths.some((truth) => (truth?.revision ?? 0) === (result.current?.revision ?? 0)),
      `a conflict on ${lost.key} shows ${JSON.stringify(seen)}, which never stood there`,
    );
    assert.ok(
      (result.current?.revision ?? 0) !== lost.expected || (lost.op === "delete" && result.current === undefined),
      `${lost.op} ${lost.key} expected ${lost.expected} and conflicts with just that`,
    );
  }
}

async function carryOut(store: KeyValueStore, writes: readonly Write[]): Promise<TransactionResult> {
  const [first] = writes;
  if (writes.length > 1 || first === undefined || first.op === "check") return store.transaction(writes);
  const { op: _, ...write } = first;
  if (first.op === "put") {
    const result = await store.put({ ...write, value: first.value });
    return result.kind === "conflict" ? { ...result, index: 0 } : result;
  }
  const result = await store.delete(write);
  return result.kind === "conflict" ? { ...result, index: 0 } : { kind: "written", revision: result.revision };
}

/** What stood at a key at any moment since a revision. */
function statesBetween(model: ModelStore, key: string, since: number): (ModelRecord | undefined)[] {
  return [
    model.at(since).get(key),
    ...model.events.filter((event) => event.key === key && event.revision > since).map((event) => event.record),
  ];
}

async function look(store: KeyValueStore, model: ModelStore, then: Look, watches: Watching[]): Promise<void> {
  const past = (back: number): number => Math.max(1, model.revision - back);
  switch (then.do) {
    case "nothing":
    case "reopen":
      return;
    case "get": {
      const key = keyNames[then.key]!;
      const at = then.back === 0 ? 0 : past(then.back);
      if (at > 0 && at < model.compacted) return rejectsWith(store.get(key, { at }), "expired");
      const found = await store.get(key, { at });
      return assert.deepEqual(found && summaryOf(found), expectedOf(key, model.at(at || model.revision).get(key)));
    }
    case "range":
      return lookAtRange(store, model, then, past(then.back));
    case "history": {
      const key = keyNames[then.key]!;
      const found = (await store.history(key)).map(({ revision, value }) => ({ revision, value: text(value) }));
      return assert.deepEqual(found, model.history(key), `history of ${key}`);
    }
    case "compact": {
      const to = past(then.back);
      await store.compact(to);
      model.compacted = Math.max(model.compacted, to);
      return;
    }
    case "watch": {
      const from = past(then.back);
      const prefix = prefixes[then.prefix]!;
      // Whether the revision just before the compaction can still be watched from is up to the engine.
      if (from === model.compacted - 1) return;
      if (from < model.compacted)
        return rejectsWith(
          store.watch({ prefix, from }, () => undefined, new AbortController().signal),
          "expired",
        );
      const followed = follow(store, { prefix, from });
      // It has caught up before the next compaction can overtake it.
      await followed.reach(model.revision);
      watches.push({ followed, prefix, from });
      return;
    }
    case "stop watch": {
      const [watch] = watches.splice(then.which % (watches.length + 1), 1);
      if (watch === undefined) return;
      await compareWatches([watch], model);
      return watch.followed.stop();
    }
  }
}

async function lookAtRange(
  store: KeyValueStore,
  model: ModelStore,
  then: Extract<Look, { do: "range" }>,
  at: number,
): Promise<void> {
  const prefix = prefixes[then.prefix]!;
  const start = then.start < 0 ? undefined : keyNames[then.start]!;
  const query = { prefix, limit: then.limit, at: then.back === 0 ? 0 : at, ...(start !== undefined && { start }) };
  if (query.at > 0 && at < model.compacted) return rejectsWith(store.range(query), "expired");
  const order = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
  const all = [...model.at(query.at || model.revision)]
    .filter(([key]) => key.startsWith(prefix) && (start === undefined || order(key, start) >= 0))
    .sort((a, b) => order(a[0], b[0]));
  const shown = then.limit > 0 ? all.slice(0, then.limit) : all;
  const { records, revision, more, count } = await store.range(query);
  assert.deepEqual(
    { records: records.map(summaryOf), more, count, revision },
    {
      records: shown.map(([key, record]) => expectedOf(key, record)),
      more: shown.length < all.length,
      count: all.length,
      revision: query.at || model.revision,
    },
    `range ${JSON.stringify(query)}`,
  );
}

async function compareWatches(watches: readonly Watching[], model: ModelStore): Promise<void> {
  for (const { followed, prefix, from } of watches) {
    await followed.reach(model.revision);
    const expected = model.events.filter(({ key, revision }) => revision > from && key.startsWith(prefix));
    assert.deepEqual(
      followed.seen,
      expected.map(({ key, revision, record }) =>
        record === undefined ? `delete ${key} @${revision}` : `put ${key} = ${record.value} @${revision}`,
      ),
      `watch of ${JSON.stringify(prefix)} from ${from}`,
    );
  }
}

const summaryOf = ({ key, value, revision, createRevision, version }: KeyRecord): object => ({
  key,
  value: text(value),
  revision,
  createRevision,
  version,
});
const expectedOf = (key: string, record: ModelRecord | undefined): object | undefined => record && { key, ...record };
