import { builtInTypes } from "@coxswain/api/tables";
import { equalJson } from "@coxswain/apimachinery/json";
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch } from "@coxswain/apimachinery/patch";
import { isStatusError } from "@coxswain/apimachinery/status";
import { BrokenPromise, type FuzzTarget, seed, textOf } from "../fuzz-target.js";
import { objectSeeds, objectWords } from "./object-seeds.js";

const separator = "\n";
const pair = (patch: unknown): Uint8Array => seed(`${textOf(objectSeeds[0]!)}${separator}${JSON.stringify(patch)}`);

/** Patches of three kinds on an object: they apply or are refused with a status, and never change what they are applied to. */
export function patchTarget(): FuzzTarget {
  const pod = builtInTypes.get("io.k8s.api.core.v1.Pod");
  return {
    name: "patches",
    maxLength: 8192,
    seeds: [
      pair([
        { op: "add", path: "/spec/containers/-", value: { name: "b" } },
        { op: "test", path: "/kind", value: "Pod" },
        { op: "move", from: "/metadata/labels", path: "/metadata/annotations" },
        { op: "copy", from: "/spec/containers/0", path: "/spec/containers/1" },
        { op: "replace", path: "/metadata/labels/a~1b~0c", value: null },
        { op: "remove", path: "/spec/volumes" },
      ]),
      pair({ metadata: { labels: { app: null, b: "c" } }, spec: { containers: null } }),
      pair({
        spec: {
          $setElementOrder: 1,
          "$setElementOrder/containers": [{ name: "b" }, { name: "main" }],
          containers: [
            { name: "main", $patch: "delete" },
            { name: "b", image: "x" },
          ],
          volumes: [{ name: "v", $retainKeys: ["name"], emptyDir: {} }, { $patch: "replace" }],
          "$deleteFromPrimitiveList/finalizers": ["a"],
        },
      }),
    ],
    words: [
      ...objectWords,
      '"op":"add"',
      '"op":"move"',
      '"path":"/',
      "/-",
      "/0",
      "/-1",
      "~0",
      "~1",
      '"$patch":"delete"',
      '"$patch":"merge"',
      '"$patch":"replace"',
      '"$retainKeys":[',
      '"$setElementOrder/containers":',
      '"$deleteFromPrimitiveList/a":',
    ],
    run(input) {
      const text = textOf(input);
      const at = text.indexOf(separator);
      const object = parsed(text.slice(0, Math.max(at, 0)));
      const patch = parsed(text.slice(at + 1));
      if (typeof object !== "object" || object === null || Array.isArray(object) || patch === undefined) return false;
      const before = JSON.stringify(object);
      const current = object as Readonly<Record<string, unknown>>;
      const applied = [
        () => applyJsonPatch(current, patch),
        () => applyMergePatch(current, patch),
        () => applyStrategicMergePatch(current, patch, pod),
      ].map((apply) => outcomeOf(apply));
      if (JSON.stringify(object) !== before) throw new BrokenPromise("a patch changed the object it is applied to");
      // Applied to its own result, a merge patch changes nothing.
      const merged = applied[1];
      if (
        merged?.isApplied &&
        !equalJson(outcomeOf(() => applyMergePatch(merged.value as never, patch)).value, merged.value)
      )
        throw new BrokenPromise("a merge patch applied twice is not what it is once");
      return applied.some(({ isApplied }) => isApplied);
    },
  };
}

function outcomeOf(apply: () => unknown): { isApplied: boolean; value?: unknown } {
  try {
    return { isApplied: true, value: apply() };
  } catch (err) {
    if (isStatusError(err)) return { isApplied: false };
    throw err;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // no patch at all: nothing to apply
  }
}
