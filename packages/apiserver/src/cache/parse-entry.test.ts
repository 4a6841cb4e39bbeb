import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { type CacheEntry, withBytes } from "./cache-entry.js";
import { parseEntry, parseMetadata, releaseParsed } from "./parse-entry.js";

const json = new TextEncoder().encode('{"metadata":{"name":"a"},"data":{"b":"1"}}');
const facts = { key: "/a", revision: 1, namespace: "", labels: undefined, fields: undefined, stale: false };
const entryOf = (live: boolean): CacheEntry => Object.assign(withBytes(facts, json), { live });

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
});
