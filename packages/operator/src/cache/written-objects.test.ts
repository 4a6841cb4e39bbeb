import { describe, expect, it } from "vitest";
import { WrittenObjects } from "./index.js";

interface Item {
  metadata: { name: string; uid: string; resourceVersion: string };
}
const item = (resourceVersion: string, uid = "u"): Item => ({ metadata: { name: "a", uid, resourceVersion } });

describe("what readers get after a write", () => {
  /** The cache holds `cached` and reflects `reached`. */
  const cases = [
    {
      name: "the written object while the cache has none",
      wrote: item("5"),
      cached: undefined,
      reached: "4",
      gets: "5",
    },
    {
      name: "the written object while the cache has an older one",
      wrote: item("5"),
      cached: item("3"),
      reached: "4",
      gets: "5",
    },
    {
      name: "the cached object once it is the written one",
      wrote: item("5"),
      cached: item("5"),
      reached: "5",
      gets: "5",
    },
    { name: "the cached object once it is newer", wrote: item("5"), cached: item("7"), reached: "7", gets: "7" },
    {
      name: "nothing once the cache has passed the write: somebody deleted it",
      wrote: item("5"),
      cached: undefined,
      reached: "6",
      gets: undefined,
    },
    { name: "versions are numbers, not texts", wrote: item("10"), cached: item("9"), reached: "9", gets: "10" },
    {
      name: "the cached object where versions cannot be compared",
      wrote: item("abc"),
      cached: item("3"),
      reached: "4",
      gets: "3",
    },
  ];
  for (const { name, wrote, cached, reached, gets } of cases)
    it(name, () => {
      const written = new WrittenObjects<Item>(() => ({ object: cached, reached }));
      written.wrote("a", wrote, true);
      expect(written.get("a")?.metadata.resourceVersion).toBe(gets);
    });

  it("an answer that comes late does not replace a newer one", () => {
    const written = new WrittenObjects<Item>(() => ({ object: undefined, reached: "1" }));
    written.wrote("a", item("6"), true);
    written.wrote("a", item("5"), true);
    expect(written.get("a")?.metadata.resourceVersion).toBe("6");
  });
  it("an object that the cache does not select any more is gone", () => {
    const written = new WrittenObjects<Item>(() => ({ object: item("3"), reached: "4" }));
    written.wrote("a", item("5"), false);
    expect(written.get("a")).toBeUndefined();
  });
});

describe("what readers get after a deletion", () => {
  it("nothing, also while the cache still has the object", () => {
    let state = { object: item("3") as Item | undefined, reached: "4" };
    const written = new WrittenObjects<Item>(() => state);
    written.deleted("a", "u");
    expect(written.get("a")).toBeUndefined();
    state = { object: undefined, reached: "6" };
    expect([written.get("a"), written.size]).toEqual([undefined, 0]);
  });
  it("nothing, when the cache sees the creation after the deletion was answered", () => {
    let state: { object: Item | undefined; reached: string } = { object: undefined, reached: "4" };
    const written = new WrittenObjects<Item>(() => state);
    written.wrote("a", item("5"), true);
    written.deleted("a", "u");
    expect(written.get("a")).toBeUndefined();
    state = { object: item("5"), reached: "5" };
    expect(written.get("a")).toBeUndefined();
    state = { object: undefined, reached: "6" };
    expect([written.get("a"), written.size]).toEqual([undefined, 0]);
  });
  it("a successor with another uid, as soon as the cache has it", () => {
    const written = new WrittenObjects<Item>(() => ({ object: item("9", "other"), reached: "9" }));
    written.deleted("a", "u");
    expect(written.get("a")?.metadata.uid).toBe("other");
  });
});

it("keys that nobody reads again do not stay", () => {
  let reached = "1";
  const written = new WrittenObjects<Item>(() => ({ object: undefined, reached }));
  for (let at = 2; at < 2000; at++) {
    written.wrote(`key-${at}`, item(String(at)), true);
    reached = String(at);
  }
  expect(written.size).toBeLessThan(70);
});
