import type { JsonPatchOperation } from "@coxswain/client";
import type { StageFinalizers } from "./stage-object.js";

const path = "/metadata/finalizers";

/** Pure: the JSON patch that a Stage makes of an object's finalizers; empty where nothing changes. */
export function planFinalizers(
  present: readonly string[],
  { add = [], remove = [], empty = false }: StageFinalizers,
): JsonPatchOperation[] {
  const removed = new Set(remove.map(({ value = "" }) => value));
  const kept = present.filter((finalizer) => !removed.has(finalizer));
  // As KWOK does it: nothing to remove from nothing counts as empty, too.
  const isEmptied = empty || (remove.length > 0 && kept.length === 0);
  const wanted = add.map(({ value = "" }) => value);
  const operations: JsonPatchOperation[] = [];
  if (isEmptied) {
    if (present.length > 0) operations.push({ op: "remove", path });
    if (wanted.length > 0) operations.push({ op: "add", path, value: wanted });
    return operations;
  }
  for (let i = present.length - 1; i >= 0; i--)
    if (removed.has(present[i] ?? "")) operations.push({ op: "remove", path: `${path}/${i}` });
  if (wanted.length > 0 && present.length === 0) operations.push({ op: "add", path, value: wanted });
  else
    for (const value of wanted) if (!present.includes(value)) operations.push({ op: "add", path: `${path}/-`, value });
  return operations;
}
