import { createSeededRandom } from "@coxswain/runtime/random";
import { describe, expect, it } from "vitest";
import { deepFreeze, equalJson } from "../json/index.js";
import { createTypeRegistry } from "../schema/index.js";
import { isStatusError } from "../status/index.js";
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  createMergePatch,
  ThreeWayMergeError,
  threeWayJsonMerge,
  threeWayStrategicMerge,
  twoWayStrategicMerge,
} from "./index.js";

const node = createTypeRegistry([
  `@test
=Item
name s 1 o
value s 2 o
list []Item 3 o ps=merge pk=name
plain []Item 4 o
set []s 5 o ps=merge
map {}s 6 o
inner *Item 7 o
kept *Item 8 o ps=retainKeys
`,
]).get("test.Item");

function seeded(seed: number): {
  chance: (p: number) => boolean;
  below: (n: number) => number;
  pick: <T>(items: readonly T[]) => T;
} {
  const source = createSeededRandom(seed);
  const below = (n: number): number => Math.floor(source.next() * n);
  return {
    chance: (p) => source.next() < p,
    below,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
  };
}
type Random = ReturnType<typeof seeded>;
type Json = Record<string, unknown>;

const keys = [
  "a",
  "b",
  "c",
  "__proto__",
  "constructor",
  "0",
  "-1",
  "~",
  "/",
  "",
  "$patch",
  "$retainKeys",
  "$setElementOrder/list",
  "$deleteFromPrimitiveList/set",
  "list",
  "set",
  "map",
  "inner",
  "kept",
  "name",
];

function anything(random: Random, depth: number): unknown {
  if (depth === 0 || random.chance(0.4))
    return random.pick<unknown>([null, true, 0, -1, 1.5, 2n ** 60n, "", "a", "delete", "replace", "merge", "x"]);
  if (random.chance(0.4)) return Array.from({ length: random.below(4) }, () => anything(random, depth - 1));
  // JSON.parse makes own members of any name, as a decoder does.
  const text = Array.from({ length: random.below(5) }, () => `${JSON.stringify(random.pick(keys))}:null`).join(",");
  const object = JSON.parse(`{${text}}`) as Json;
  for (const key of Object.keys(object))
    Object.defineProperty(object, key, {
      value: anything(random, depth - 1),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return object;
}

function item(random: Random, depth: number, name = random.pick(["a", "b", "c", "d"])): Json {
  const unique = (): string[] => ["a", "b", "c", "d"].filter(() => random.chance(0.5));
  const shuffled = (): string[] => unique().sort(() => random.below(3) - 1);
  return {
    name,
    ...(random.chance(0.5) ? { value: random.pick(["x", "y"]) } : {}),
    ...(random.chance(0.4) ? { set: shuffled() } : {}),
    ...(random.chance(0.4) ? { map: Object.fromEntries(unique().map((key) => [key, random.pick(["1", "2"])])) } : {}),
    ...(depth > 0 && random.chance(0.6) ? { list: shuffled().map((inner) => item(random, depth - 1, inner)) } : {}),
    ...(depth > 0 && random.chance(0.3) ? { plain: unique().map((inner) => item(random, depth - 1, inner)) } : {}),
    ...(depth > 0 && random.chance(0.3) ? { inner: item(random, depth - 1) } : {}),
    ...(depth > 0 && random.chance(0.3) ? { kept: item(random, depth - 1) } : {}),
  };
}

/** Only errors that a client may see. */
function orStatus(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    if (!isStatusError(error) && !(error instanceof ThreeWayMergeError)) throw error;
  }
}

/** Runs for `ms`, each time with the next seed; the first seeds always run. */
function forSeeds(ms: number, run: (random: Random, seed: number) => void): void {
  const end = Date.now() + ms;
  for (let seed = 1; seed <= 300 || Date.now() < end; seed++) run(seeded(seed), seed);
}

const object = (random: Random): Json => {
  const value = anything(random, 4);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
};
const withoutNulls = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(withoutNulls)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([, v]) => v !== null)
            .map(([k, v]) => [k, withoutNulls(v)]),
        )
      : value;

const sortSets = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (key, member: unknown) => (key === "set" ? (member as string[]).sort() : member));

describe("patches, by chance", () => {
  it("a merge patch makes one document out of another", () =>
    forSeeds(600, (random, seed) => {
      const [before, after] = [deepFreeze(object(random)), deepFreeze(withoutNulls(object(random)) as Json)];
      expect(equalJson(applyMergePatch(before, createMergePatch(before, after)), after), `seed ${seed}`).toBe(true);
    }));

  it("a strategic merge patch makes one object out of another", () =>
    forSeeds(600, (random, seed) => {
      const [before, after] = [deepFreeze(item(random, 3)), deepFreeze(item(random, 3))];
      const patched = applyStrategicMergePatch(before, twoWayStrategicMerge(before, after, node), node);
      // Of a set that is only put in its natural order, upstream sends no order.
      expect(sortSets(patched), `seed ${seed}`).toEqual(sortSets(after));
    }));

  it("client-side apply keeps what it did not apply", () =>
    forSeeds(400, (random, seed) => {
      const [original, modified] = [deepFreeze(item(random, 2)), deepFreeze(item(random, 2))];
      const current = deepFreeze({ ...original, map: { ...(original["map"] as Json | undefined), live: "1" } });
      const patch = threeWayStrategicMerge({ original, modified, current }, node);
      const patched = applyStrategicMergePatch(current, patch, node);
      const live = original["map"] && !modified["map"] ? undefined : "1";
      expect((patched["map"] as Json | undefined)?.["live"], `seed ${seed}`).toBe(live);
    }));

  it("garbage is refused, or applied, and changes no input", () =>
    forSeeds(800, (random) => {
      const [current, patch] = [deepFreeze(object(random)), deepFreeze(anything(random, 4))];
      orStatus(() => applyStrategicMergePatch(current, patch, node));
      orStatus(() => applyStrategicMergePatch(deepFreeze(item(random, 2)), patch, node));
      orStatus(() => applyMergePatch(current, patch));
      orStatus(() => applyJsonPatch(current, patch));
      orStatus(() => threeWayJsonMerge({ original: current, modified: object(random), current: object(random) }));
    }));

  it("JSON patches of any kind change no input and nobody's prototype", () =>
    forSeeds(600, (random) => {
      const path = (): string =>
        Array.from(
          { length: random.below(4) },
          () => `/${random.pick(["a", "b", "0", "1", "-", "-1", "__proto__", "constructor", "~0", "~1"])}`,
        ).join("");
      const operations = Array.from({ length: 1 + random.below(6) }, () => ({
        op: random.pick(["add", "remove", "replace", "move", "copy", "test"]),
        path: path(),
        from: path(),
        value: anything(random, 2),
      }));
      orStatus(() => applyJsonPatch(deepFreeze(object(random)), deepFreeze(operations)));
      expect(Object.keys(Object.prototype)).toEqual([]);
    }));
});

describe("hostile strategic merge patches take bounded time", () => {
  const names = Array.from({ length: 50_000 }, (_, index) => `n${index}`);
  it("100,000 items to merge, in reverse", () => {
    const current = { list: names.map((name) => ({ name })), set: names };
    const patch = {
      list: names.toReversed().map((name) => ({ name, value: "x" })),
      set: names.toReversed(),
      "$setElementOrder/list": names.toReversed().map((name) => ({ name })),
    };
    expect((applyStrategicMergePatch(current, patch, node)["list"] as Json[])[0]).toEqual({
      name: "n49999",
      value: "x",
    });
  });
  it("50,000 items to delete", () => {
    const current = { list: names.map((name) => ({ name })), set: names };
    const patch = { list: names.map((name) => ({ name, $patch: "delete" })), "$deleteFromPrimitiveList/set": names };
    expect(applyStrategicMergePatch(current, patch, node)).toEqual({ list: [], set: [] });
  });
  it("50,000 levels", () => {
    const deep = JSON.parse(`${'{"inner":'.repeat(50_000)}{}${"}".repeat(50_000)}`) as unknown;
    expect(() => applyStrategicMergePatch({}, deep, node)).toThrow("exceeded max depth");
  });
});
