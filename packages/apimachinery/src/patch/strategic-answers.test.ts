import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createTypeRegistry } from "../schema/index.js";
import { isStatusError } from "../status/index.js";
import { applyStrategicMergePatch, ThreeWayMergeError, threeWayStrategicMerge, twoWayStrategicMerge } from "./index.js";
import type { JsonObject } from "./json-value.js";

// The answers in testdata/strategic.json were recorded from k8s.io/apimachinery v0.36.4 by tools/answers/patch; the inputs
// are those of upstream's own tests, their patches on each other's objects, and some of our own.

interface Answer {
  value?: JsonObject;
  /** "*": depends on Go's map order, or a panic. */
  error?: string;
}
interface Case {
  name: string;
  original?: JsonObject;
  modified?: JsonObject;
  current?: JsonObject;
  patch?: JsonObject;
  answers: Record<string, Answer>;
}
const { cases } = JSON.parse(readFileSync(new URL("testdata/strategic.json", import.meta.url), "utf8")) as {
  cases: Case[];
};

const node = createTypeRegistry([
  `@test
=Item
name s 1 o
value s 2 o
other s 3 o
mergingList []Item 4 o ps=merge pk=name
nonMergingList []Item 5 o
mergingIntList []l 6 o ps=merge
nonMergingIntList []l 7 o
mergeItemPtr *Item 8 o ps=merge pk=name
simpleMap {}s 9 o
replacingItem R 10 o ps=replace
retainKeysMap RetainKeysItem 11 o ps=retainKeys
retainKeysMergingList []Item 12 o ps=merge,retainKeys pk=name
=RetainKeysItem
name s 1 o
value s 2 o
other s 3 o
simpleMap {}s 4 o
mergingIntList []l 5 o ps=merge
mergingList []Item 6 o ps=merge pk=name
nonMergingList []Item 7 o
`,
]).get("test.Item");

function check(answer: Answer | undefined, run: () => unknown): void {
  if (answer === undefined) return;
  if (answer.error === undefined) {
    expect(run()).toEqual(answer.value);
    return;
  }
  let thrown: unknown;
  try {
    run();
  } catch (error) {
    thrown = error;
  }
  if (answer.error === "*") return;
  expect(isStatusError(thrown)).toBe(true);
  const { message, cause } = thrown as Error;
  expect(cause instanceof Error ? cause.message : message).toBe(answer.error);
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

describe("strategic merge patches answer as upstream does", () => {
  cases.forEach((c, index) => {
    const { original = {}, modified, current, answers } = deepFreeze(c);
    it(`${index}: ${c.name}`, () => {
      check(answers["apply"], () => applyStrategicMergePatch(original, c.patch ?? modified, node));
      if (!modified) return;
      check(answers["twoWay"], () => twoWayStrategicMerge(original, modified, node));
      if (!current) return;
      check(answers["threeWay"], () => threeWayStrategicMerge({ original, modified, current }, node));
      check(answers["result"], () =>
        applyStrategicMergePatch(current, threeWayStrategicMerge({ original, modified, current }, node), node),
      );
      check(answers["conflict"], () => conflicts({ original, modified, current }));
    });
  });
});

function conflicts(three: { original: JsonObject; modified: JsonObject; current: JsonObject }): boolean {
  try {
    threeWayStrategicMerge({ ...three, overwrite: false }, node);
    return false;
  } catch (error) {
    if (error instanceof ThreeWayMergeError && error.kind === "conflict") return true;
    throw error;
  }
}
