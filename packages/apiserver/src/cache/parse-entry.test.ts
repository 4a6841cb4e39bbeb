import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { type CacheEntry, withBytes } from "./cache-entry.js";
import { parseEntry, parseMetadata, parseWhole, parseWholeMetadata, releaseParsed } from "./parse-entry.js";

const json = new TextEncoder().encode('{"metadata":{"name":"a"},"data":{"b":"1"}}');
const facts = { key: "/a", revision: 1, namespace: "", labels: undefined, fields: undefined, stale: false };
const entryOf = (live: boolean): CacheEntry => Object.assign(withBytes(facts, json), { live });

const partial = (metadata: object) => ({ kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata });

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
/** A WeakRef holds its target until the end of the task that made it. */
const nextTask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
async function isCollected(read: () => unknown): Promise<boolean> {
  const seen = ((): WeakRef<object> => new WeakRef(read() as object))();
  await nextTask();
  collect();
  return seen.deref() === undefined;
}

describe("the parsed form of an entry", () => {
  for (const parse of [parseEntry, parseMetadata]) {
    it(`${parse.name}: is shared and frozen`, () => {
      const entry = entryOf(true);
      expect(parse(entry)).toBe(parse(entry));
      expect(Object.isFrozen(parse(entry))).toBe(true);
    });
    const rows: { name: string; live: boolean; after?: "changed" | "changed in a fork"; collected: boolean }[] = [
      { name: "stays while the entry is served", live: true, collected: false },
      { name: "goes once the object has changed", live: true, after: "changed", collected: true },
      { name: "stays while another cache serves the entry", live: true, after: "changed in a fork", collected: false },
      { name: "of a past state is for those that hold it", live: false, collected: true },
    ];
    for (const { name, live, after, collected } of rows)
      it(`${parse.name}: ${name}`, async () => {
        const entry = entryOf(live);
        const read = (): unknown => {
          const object = parse(entry);
          if (after === "changed") entry.live = false;
          if (after) releaseParsed(entry);
          return object;
        };
        expect(await isCollected(read)).toBe(collected);
        expect(parse(entry)).toMatchObject({ metadata: { name: "a" } });
      });
  }

  it("is the same one for those that hold it, also after a change", () => {
    const entry = entryOf(true);
    const held = parseEntry(entry);
    entry.live = false;
    releaseParsed(entry);
    collect();
    expect(parseEntry(entry)).toBe(held);
  });

  const managed = { name: "a", managedFields: [{ manager: "m" }] };
  const forms = [
    { form: "the shared one", parse: parseEntry, want: { metadata: { name: "a" }, data: { b: "1" } } },
    { form: "its metadata", parse: parseMetadata, want: partial({ name: "a" }) },
    { form: "the whole one", parse: parseWhole, want: { metadata: managed, data: { b: "1" } } },
    { form: "the whole one's metadata", parse: parseWholeMetadata, want: partial(managed) },
  ];
  for (const { form, parse, want } of forms)
    it(`${form} ${"managedFields" in want.metadata ? "has" : "has no"} managedFields`, () => {
      const bytes = new TextEncoder().encode(JSON.stringify({ metadata: managed, data: { b: "1" } }));
      expect(parse(withBytes(facts, bytes))).toEqual(want);
    });

  it("of the metadata alone, the rest is not even read", () => {
    const bytes = new TextEncoder().encode('{"metadata":{"name":"a"},"data":no JSON}');
    expect(parseMetadata(withBytes(facts, bytes))).toEqual(partial({ name: "a" }));
  });
});
