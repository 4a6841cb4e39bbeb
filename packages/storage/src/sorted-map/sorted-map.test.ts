import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { compareKeys, type KeyRange, type Leaf, SortedMap } from "./index.js";

/** A small generator with a seed, so that a failure can be run again. */
function chance(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
const leavesIn = (map: SortedMap<number>): Set<Leaf<number>> => new Set([...map.leavesOf()].map((s) => s.leaf));

function inRange(key: string, { prefix = "", start, end }: KeyRange): boolean {
  return (
    key.startsWith(prefix) &&
    (start === undefined || byBytes(key, start) >= 0) &&
    (end === undefined || byBytes(key, end) < 0)
  );
}

function assertSame(map: SortedMap<number>, model: Map<string, number>, range: KeyRange = {}): void {
  const expected = [...model].filter(([key]) => inRange(key, range)).sort((a, b) => byBytes(a[0], b[0]));
  assert.deepEqual([...map.entries(range)], expected);
  assert.equal(map.count(range), expected.length);
}

describe("key order", () => {
  const cases = [
    "",
    "a",
    "a/",
    "a0",
    "b",
    "é",
    "\u07ff",
    "\u0800",
    "\ud7ff",
    "\ue000",
    "\uffff",
    "\u{10000}",
    "\u{1f600}",
    "\u{10ffff}",
    "a\u{10000}",
    "a\uffff",
  ];
  it("is the order of UTF-8 bytes for every pair", () => {
    for (const a of cases)
      for (const b of cases) assert.equal(Math.sign(compareKeys(a, b)), byBytes(a, b), JSON.stringify([a, b]));
  });
  it("holds in a map that mixes U+FFFF and characters beyond it", () => {
    const map = SortedMap.from(cases.map((key, i) => [key, i] as const));
    assert.deepEqual([...map.keys()], cases.toSorted(byBytes));
    for (const [i, key] of cases.entries()) assert.equal(map.get(key), i);
    assert.deepEqual([...map.keys({ prefix: "a" })], ["a", "a/", "a0", "a\uffff", "a\u{10000}"]);
  });
});

describe("a sorted map", () => {
  it("is a model's equal through thousands of random changes, by single steps and by an editor", () => {
    for (const seed of [1, 2, 3, 4]) {
      const random = chance(seed);
      const alphabet = ["a", "b", "/", "\uffff", "\u{10000}"].slice(0, seed % 2 === 0 ? 5 : 3);
      const key = (): string =>
        Array.from({ length: 1 + random(6) }, () => alphabet[random(alphabet.length)]).join("") + random(400);
      let map = SortedMap.empty<number>();
      const model = new Map<string, number>();
      for (let round = 0; round < 150; round++) {
        const before = map;
        const had = [...before];
        const editor = map.edit();
        const shrinking = round % 30 > 22;
        for (let i = 0; i < 40; i++) {
          const target = shrinking && model.size > 0 ? [...model.keys()][random(model.size)]! : key();
          const drop = shrinking || random(4) === 0;
          if (drop) model.delete(target);
          else model.set(target, i);
          if (round % 2 === 0) map = drop ? map.delete(target) : map.set(target, i);
          else if (drop) editor.delete(target);
          else editor.set(target, i);
          if (round % 2 === 1) assert.equal(editor.get(target), model.get(target));
          if (round % 2 === 1 && i === 39) {
            const seen: [string, number][] = [];
            editor.forEach({ start: target }, (key, value) => seen.push([key, value]));
            assert.deepEqual(seen, [...editor.done().entries({ start: target })]);
          }
        }
        if (round % 2 === 1) map = editor.done();
        assert.equal(map.size, model.size, `seed ${seed}, round ${round}`);
        assert.deepEqual([...before], had, "the map it came from has changed");
        if (round % 10 === 0) {
          assertSame(map, model);
          const prefix = key().slice(0, 2);
          assertSame(map, model, { prefix });
          assertSame(map, model, { prefix, start: prefix + key() });
          assertSame(map, model, { start: key(), end: key() });
        }
      }
      for (const [k, v] of model) assert.equal(map.get(k), v);
      for (const k of model.keys()) map = map.delete(k);
      assert.equal(map.size, 0);
      assert.deepEqual([...map], []);
    }
  });

  const keys = Array.from({ length: 10_000 }, (_, i) => `/registry/pods/default/web-${String(i).padStart(6, "0")}`);
  const numbers = keys.map((_, i) => i);

  it("is built from sorted keys and refuses keys out of order", () => {
    const map = SortedMap.fromSorted(keys, numbers);
    assert.equal(map.size, keys.length);
    assert.deepEqual([...map.keys()], keys);
    assert.equal(map.get(keys[1234]!), 1234);
    assert.equal(map.has("/registry/pods"), false);
    assert.throws(() => SortedMap.fromSorted(["b", "a"], [1, 2]), RangeError);
    assert.throws(() => SortedMap.fromSorted(["a", "a"], [1, 2]), RangeError);
    assert.equal(SortedMap.fromSorted<number>([], []).size, 0);
  });

  it("finds an entry by its position", () => {
    const map = SortedMap.fromSorted(keys, numbers);
    for (const i of [0, 95, 96, 5000, 9999]) assert.deepEqual(map.at(i), { key: keys[i], value: i });
    for (const i of [-1, 10_000, Number.NaN]) assert.equal(map.at(i), undefined);
  });

  it("keeps every leaf but the one that a change touches", () => {
    const before = SortedMap.fromSorted(keys, numbers);
    const old = leavesIn(before);
    const after = before.set(keys[4321]!, -1);
    assert.equal([...leavesIn(after)].filter((leaf) => !old.has(leaf)).length, 1);
    assert.equal(before.set(keys[7]!, 7), before, "setting what is there already is no change");
    assert.equal(before.delete("nobody"), before);
  });

  it("never changes a leaf that an editor has handed out", () => {
    const editor = SortedMap.fromSorted(keys, numbers).edit();
    editor.set("x", 1);
    const first = editor.done();
    editor.set("x", 2);
    editor.set("y", 3);
    assert.equal(first.get("x"), 1);
    assert.equal(first.has("y"), false);
    assert.equal(editor.done().get("x"), 2);
  });

  it("gives the stretch of each leaf inside a range", () => {
    const map = SortedMap.fromSorted(keys, numbers);
    const stretches = [...map.leavesOf({ start: keys[10]!, end: keys[300]! })];
    assert.deepEqual(
      stretches.flatMap((s) => s.leaf.values.slice(s.from, s.to)),
      numbers.slice(10, 300),
    );
    assert.deepEqual(
      stretches.map((s) => s.whole),
      stretches.map((s) => s.from === 0 && s.to === s.leaf.keys.length),
    );
    assert.equal(stretches.filter((s) => !s.whole).length, 2);
  });

  it("stops a walk when the callback asks for it", () => {
    let seen = 0;
    SortedMap.fromSorted(keys, numbers).forEach({ prefix: "/registry/" }, () => ++seen < 5);
    assert.equal(seen, 5);
  });

  it("fills leaves that grow by keys in order", () => {
    let map = SortedMap.empty<number>();
    for (const [i, key] of keys.entries()) map = map.set(key, i);
    assert.ok(leavesIn(map).size <= Math.ceil(keys.length / 100), `${leavesIn(map).size} leaves`);
  });
});
