import { systemRuntime } from "@coxswain/runtime";
import { describe, expect, it } from "vitest";
import type { KeyValueStore } from "../contract/key-value-store.js";
import { createMemoryStore } from "../memory/index.js";
import type { RangeRequest, RangeStreamResponse } from "./messages.js";
import { rangeStreamMethod } from "./range-stream-method.js";

const leases = { leaseOf: (name: bigint) => Number(name), leaseName: (lease: number) => BigInt(lease) };
const allOf = (key: string, end: string): RangeRequest => ({
  key: Buffer.from(key),
  range_end: Buffer.from(end),
  limit: 0,
  revision: 0,
  sort_order: 0,
  sort_target: 0,
  serializable: false,
  keys_only: false,
  count_only: false,
  min_mod_revision: 0,
  max_mod_revision: 0,
  min_create_revision: 0,
  max_create_revision: 0,
});

async function chunksOf(
  store: KeyValueStore,
  request: RangeRequest,
  onChunk: () => Promise<unknown> = async () => undefined,
) {
  const chunks: NonNullable<RangeStreamResponse["range_response"]>[] = [];
  await rangeStreamMethod({ ...leases, store }).handle({
    metadata: new Map() as never,
    requests: (async function* () {
      yield request;
    })(),
    async send({ range_response }: RangeStreamResponse) {
      chunks.push(range_response ?? {});
      await onChunk();
    },
    signal: new AbortController().signal,
  });
  return chunks;
}

async function storeWith(keys: number): Promise<KeyValueStore> {
  const store = createMemoryStore({ runtime: systemRuntime() });
  for (let index = 0; index < keys; index++)
    await store.put({ key: `/k/${String(index).padStart(3, "0")}`, value: Buffer.from("v"), expected: 0 });
  return store;
}

const lengths = (chunks: readonly { readonly kvs?: readonly unknown[] | undefined }[]) =>
  chunks.map(({ kvs }) => kvs?.length);

describe("ranges in chunks", () => {
  const cases: [name: string, request: Partial<RangeRequest>, lengths: number[], end: object][] = [
    ["all keys, in chunks that grow while they are small", {}, [10, 20, 40, 10], { more: false, count: 80 }],
    ["no more than the limit, and counts all", { limit: 15 }, [10, 5], { more: true, count: 80 }],
    [
      "a limit that is the number of keys leaves nothing",
      { limit: 30, key: Buffer.from("/k/050") },
      [10, 20],
      { more: false, count: 30 },
    ],
    ["the count alone in one chunk", { count_only: true }, [0], { more: false, count: 80 }],
    ["keys that are no prefix in one chunk", { range_end: Buffer.from("/k/040x") }, [41], { more: false, count: 41 }],
    ["one key", { range_end: Buffer.alloc(0), key: Buffer.from("/k/007") }, [1], { more: false, count: 1 }],
    [
      "nothing where nothing is",
      { key: Buffer.from("/none/"), range_end: Buffer.from("/none0") },
      [0],
      { more: false, count: 0 },
    ],
    ["what was there at a past revision", { revision: 13 }, [10, 2], { more: false, count: 12 }],
  ];
  for (const [name, request, want, end] of cases)
    it(`hold ${name}`, async () => {
      const chunks = await chunksOf(await storeWith(80), { ...allOf("/k/", "/k0"), ...request });
      expect(lengths(chunks)).toEqual(want);
      expect(chunks.at(-1)).toMatchObject({ ...end, header: { revision: 81 } });
      for (const chunk of chunks.slice(0, -1)) expect(Object.keys(chunk)).toEqual(["kvs"]);
    });
  it("show one revision, whatever is written meanwhile", async () => {
    const store = await storeWith(30);
    let written = 0;
    const chunks = await chunksOf(store, allOf("/k/", "/k0"), () =>
      store.put({ key: `/k/9${written++}`, value: Buffer.from("v"), expected: 0 }),
    );
    expect(lengths(chunks)).toEqual([10, 20]);
    expect(chunks.at(-1)?.header?.revision).toBe(31);
  });
  const refused: [name: string, request: Partial<RangeRequest>, message: string][] = [
    ["an order", { sort_order: 2 }, "custom sort orders"],
    ["filters of revisions", { min_mod_revision: 2 }, "revision filters"],
    ["no key", { key: Buffer.alloc(0) }, "key is not provided"],
  ];
  for (const [name, request, message] of refused)
    it(`with ${name} are refused`, async () => {
      const store = await storeWith(1);
      await expect(chunksOf(store, { ...allOf("/k/", "/k0"), ...request })).rejects.toThrow(message);
    });
});
