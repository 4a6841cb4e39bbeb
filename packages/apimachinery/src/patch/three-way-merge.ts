import { equalJson } from "../json/equal.js";
import { getOwn } from "../own/index.js";
import type { SchemaNode } from "../schema/index.js";
import { goText } from "./go-text.js";
import { isList, isObject, type JsonObject } from "./json-value.js";
import { applyMergePatch } from "./merge-patch.js";
import { createMergePatch, filterNulls } from "./merge-patch-diff.js";
import { patchesConflict } from "./strategic-conflicts.js";
import { diffObjects } from "./strategic-diff.js";
import { mergeObject } from "./strategic-merge-patch.js";

/** What client-side apply knows: what was applied last, what is to be applied, and what the server has. */
export interface ThreeWay {
  /** The last applied configuration; `{}` where none is known. */
  readonly original: JsonObject;
  readonly modified: JsonObject;
  readonly current: JsonObject;
  /** Paths that the patch must not touch, such as `["metadata", "name"]`. */
  readonly unchanged?: readonly (readonly string[])[];
}

/** Two sides changed one member differently, or the patch touches what it must not. A client's error: no server sees it. */
export class ThreeWayMergeError extends Error {
  readonly kind: "conflict" | "precondition";

  constructor(kind: "conflict" | "precondition", message: string) {
    super(message);
    this.name = "ThreeWayMergeError";
    this.kind = kind;
  }
}

/**
 * The strategic merge patch of client-side apply: from current to modified without deletions, and the deletions from
 * original to modified. Without `overwrite`, what current changed otherwise than modified is a conflict.
 */
export function threeWayStrategicMerge(
  three: ThreeWay & { readonly overwrite?: boolean },
  node: SchemaNode,
): JsonObject {
  const { original, modified, current, unchanged = [], overwrite = true } = three;
  const delta = diffObjects(current, modified, node, { elementOrder: true, changes: true, deletions: false });
  const deletions = diffObjects(original, modified, node, { elementOrder: true, changes: false, deletions: true });
  const patch = mergeObject(deletions, delta, node, "patch");
  checkUnchanged(patch, unchanged);
  if (!overwrite) {
    const changes = diffObjects(original, current, node, { elementOrder: false, changes: true, deletions: true });
    if (patchesConflict(patch, changes, node)) throw conflictBetween(patch, changes);
  }
  return patch;
}

/** The strategic merge patch that makes `modified` out of `original`. */
export const twoWayStrategicMerge = (original: JsonObject, modified: JsonObject, node: SchemaNode): JsonObject =>
  diffObjects(original, modified, node, { elementOrder: true, changes: true, deletions: true });

/** The same as a JSON merge patch, for kinds whose type is not known. */
export function threeWayJsonMerge({ original, modified, current, unchanged = [] }: ThreeWay): JsonObject {
  const changes = filterNulls(createMergePatch(current, modified), "changes");
  const deletions = filterNulls(createMergePatch(original, modified), "deletions");
  if (overlap(changes, deletions)) throw conflictBetween(changes, deletions);
  const patch = applyMergePatch(deletions, changes);
  checkUnchanged(patch, unchanged);
  return patch;
}

function checkUnchanged(patch: JsonObject, paths: readonly (readonly string[])[]): void {
  for (const path of paths) {
    let at: unknown = patch;
    for (const part of path) at = isObject(at) ? getOwn<unknown>(at, part) : undefined;
    if (at !== undefined) throw new ThreeWayMergeError("precondition", `precondition failed for: ${goText(patch)}`);
  }
}

function conflictBetween(patch: JsonObject, changes: JsonObject): ThreeWayMergeError {
  const [left, right] = [patch, changes].map((side) => JSON.stringify(side, undefined, 2));
  return new ThreeWayMergeError(
    "conflict",
    `patch:\n${left}\nconflicts with changes made from original to current:\n${right}\n`,
  );
}

function overlap(left: unknown, right: unknown): boolean {
  if (isObject(left)) {
    if (!isObject(right)) return true;
    return Object.keys(left).some(
      (key) =>
        getOwn<unknown>(right, key) !== undefined && overlap(getOwn<unknown>(left, key), getOwn<unknown>(right, key)),
    );
  }
  if (isList(left))
    return !isList(right) || left.length !== right.length || left.some((item, index) => overlap(item, right[index]));
  return !equalJson(left, right);
}
