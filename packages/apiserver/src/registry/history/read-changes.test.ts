import { parseFieldSelector } from "@coxswain/apimachinery/selector";
import { testRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage";
import { type ChangeQuery, type Chronicle, memoryFiles, openChronicle } from "@coxswain/storage/chronicle";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Delivery } from "../../cache/cache-event.js";
import type { KeyOwners } from "../contract/key-owners.js";
import type { Change, ChangeCause } from "./change.js";
import { createPastReader } from "./explain/past-reader.js";
import { keptChanges } from "./kept-changes.js";
import { type ReadOptions, readChanges } from "./read-changes.js";
import { readableCauses } from "./readable-changes.js";
import { mayBeSelected } from "./select-changes.js";
import { watchChanges } from "./watch-changes.js";

const runtime = testRuntime(1);
const store = createMemoryStore({ runtime });
const owners: KeyOwners = {
  kinds: () => [],
  of(key) {
    const [, , resource = "", namespace = "", name = ""] = key.split("/");
    return { group: "", version: "v1", resource, kind: "ConfigMap", namespace, name };
  },
};
/** What was asked of the chronicle. */
const asked = { queries: [] as ChangeQuery[], previous: 0 };
let real: Awaited<ReturnType<typeof openChronicle>>;
let chronicle: Chronicle;

async function write(name: string, user: string): Promise<void> {
  const key = `/registry/configmaps/shop/${name}`;
  const value = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "shop" } };
  const expected = (await store.get(key))?.revision ?? 0;
  const note = { time: runtime.clock.now(), user, verb: "update", auditId: `of-${user}` };
  await store.put({ key, value: Buffer.from(JSON.stringify(value)), expected, note });
}

const options = (selector: string, more: Partial<ReadOptions> = {}): ReadOptions => ({
  owners,
  namespace: "",
  fields: parseFieldSelector(selector),
  gone: [],
  include: "",
  scheduler: runtime.scheduler,
  signal: new AbortController().signal,
  mayRead: async () => true,
  readableCauses: async (change) => change,
  ...more,
});

async function read(selector: string, more?: Partial<ReadOptions>): Promise<Change[]> {
  const found: Change[] = [];
  for await (const change of readChanges(chronicle, options(selector, more))) found.push(change);
  return found;
}

beforeAll(async () => {
  real = await openChronicle({
    files: memoryFiles(),
    rules: keptChanges(() => false),
    limits: { bytes: 32 << 20 },
    snapshot: () => store.snapshot(),
    runtime,
    store: { revision: store.revision, compacted: 0 },
  });
  chronicle = {
    ...real,
    changes(query, signal) {
      asked.queries.push(query);
      return real.changes(query, signal);
    },
    lastChange(key, upTo) {
      asked.previous++;
      return real.lastChange(key, upTo);
    },
  };
  void store.watch({ prefix: "/registry/", from: store.revision }, real.record, new AbortController().signal);
  // The state of the beginning is written down: all changes after it are there.
  await real.flush();
  for (let at = 0; at < 1200; at++) await write(`map-${at % 40}`, at === 600 ? "ann" : "ben");
  await real.flush();
});
afterAll(async () => {
  await real.close();
  await store.close();
});

describe("a list of changes", () => {
  it("compares only what can be selected with what stood there before", async () => {
    asked.previous = 0;
    expect((await read("user=ann")).map(({ user }) => user)).toEqual(["ann"]);
    expect(asked.previous).toBe(1);
    expect(await read("type=Deleted")).toEqual([]);
    expect(asked.previous).toBe(1);
  });

  it("ends when its client is gone", async () => {
    const ending = new AbortController();
    const first = readChanges(chronicle, options("", { signal: ending.signal }));
    await first.next();
    ending.abort();
    await expect(first.next()).rejects.toThrow("aborted");
  });

  const cases = [
    { name: "another user", selector: "user=ann", want: false },
    { name: "not another user", selector: "user!=ann", want: true },
    { name: "its resource, with or without the group", selector: "object.resource=configmaps", want: true },
    { name: "another resource", selector: "object.resource=pods", want: false },
    { name: "another name", selector: "object.name=other", want: false },
    { name: "a deletion, of what was written", selector: "type=Deleted", want: false },
    { name: "an update, or the request of a deletion", selector: "type=DeletionRequested", want: true },
    { name: "not an update: it may be the request of a deletion", selector: "type!=Updated", want: true },
    { name: "a member: only the value has it", selector: "path=data", want: true },
    { name: "a uid: only the value has it", selector: "object.uid=1", want: true },
  ];
  for (const { name, selector, want } of cases)
    it(`of one by its key and note: ${name}`, () => {
      const key = "/registry/configmaps/shop/map";
      const change = { key, type: "put", revision: 9, createRevision: 2, version: 2, value: undefined } as const;
      const noted = Object.assign({ note: { time: 1, user: "ben" } }, change);
      expect(mayBeSelected(parseFieldSelector(selector), noted, owners.of(key))).toBe(want);
    });
});

describe("a watch of changes", () => {
  async function watch(after: number, during?: () => void) {
    const batches: number[][] = [];
    let ended = "";
    let done = (): void => {};
    const all = new Promise<void>((resolve) => (done = resolve));
    const history = {
      chronicle: async () => chronicle,
      onRecorded: () => () => {},
      works: undefined,
      stop: async () => {},
    };
    const watcher = watchChanges(
      history,
      { ...options(""), after },
      {
        deliver(events: readonly Delivery[]) {
          batches.push(events.map(({ revision }) => revision));
          during?.();
          if (batches.at(-1)?.at(-1) === store.revision) done();
          return undefined;
        },
        bookmark() {},
        end(reason) {
          ended = reason;
          done();
        },
      },
    );
    await all;
    watcher.stop();
    return { batches, ended };
  }

  it("that begins far back has all of them in order, and some at a time", async () => {
    const { batches } = await watch(1);
    expect(batches.flat()).toEqual(Array.from({ length: store.revision - 1 }, (_, at) => at + 2));
    expect(Math.max(...batches.map(({ length }) => length))).toBe(500);
  });

  it("ends where what comes next is missing", async () => {
    let isLost = false;
    const { batches, ended } = await watch(1, () => {
      if (!isLost) real.lose(store.revision + 10, "it is a test");
      isLost = true;
    });
    expect(batches.length).toBe(1);
    expect(ended).toBe("closed");
  });
});

describe("what an explanation reads", () => {
  it("of a request is what it changed, near the change that is explained", async () => {
    const past = createPastReader(
      { chronicle, owners, scheduler: runtime.scheduler, signal: new AbortController().signal },
      async () => true,
    );
    asked.queries = [];
    expect((await past.ofRequest("of-ann", { after: 500, to: 700 })).map(({ user }) => user)).toEqual(["ann"]);
    expect(asked.queries).toEqual([{ after: 500, to: 700 }]);
  });
});

describe("who may see the items of a change's causes", () => {
  const cause = (item: string, certainty: ChangeCause["certainty"]): ChangeCause => ({
    component: "c",
    queue: "q",
    item,
    revisions: [],
    certainty,
  });
  const of = (namespace: string | undefined, causes: ChangeCause[]) =>
    ({ object: { namespace, name: "web" }, causes }) as unknown as Change;
  const itemsFor = async (mayList: boolean, change: Change): Promise<string[]> => {
    const authorizer = async ({ resource, verb }: { resource: string; verb: string }) => ({
      decision: mayList && resource === "reconciles" && verb === "list" ? ("allow" as const) : ("no-opinion" as const),
      reason: "",
    });
    const { causes } = await readableCauses(authorizer as never, { name: "ann", groups: [] })(change);
    return causes.map(({ item }) => item);
  };
  const several = of("shop", [
    cause("shop/a", "one-of"),
    cause("pod:shop/b", "one-of"),
    cause("bank/c", "one-of"),
    cause("d", "one-of"),
  ]);

  it("of several that it may be, those of other namespaces are for who may list them all", async () => {
    expect(await itemsFor(false, several)).toEqual(["shop/a", "pod:shop/b"]);
    expect(await itemsFor(true, several)).toEqual(["shop/a", "pod:shop/b", "bank/c", "d"]);
    expect(await itemsFor(false, of(undefined, [cause("bank/c", "one-of")]))).toEqual([]);
  });

  it("the one that made it is for all who may see the change", async () => {
    expect(await itemsFor(false, of("shop", [cause("node-1", "exact")]))).toEqual(["node-1"]);
  });
});
