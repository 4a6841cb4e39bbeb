import { equalJson } from "../json/equal.js";
import { deleteOwn, getOwn, ownEntries, setOwn } from "../own/index.js";
import type { SchemaNode } from "../schema/index.js";
import { goText, goType } from "./go-text.js";
import { isList, isObject, type JsonObject } from "./json-value.js";
import { withoutNulls } from "./merge-patch.js";
import { checkDepth } from "./patch-depth.js";
import { malformedPatch, unmergeable } from "./patch-errors.js";
import {
  badElementOrder,
  badRetainKeys,
  deleteFromListPrefix,
  elementOrderPrefix,
  followDirective,
  listNameOf,
  patchDirective,
  retainKeysDirective,
  withoutDirectives,
} from "./strategic-directives.js";
import { checkElementOrder, deleteFromList, liveOrderAfter, mergeLists, partition } from "./strategic-lists.js";
import { type MergeRule, ruleForList, ruleForObject } from "./strategic-metadata.js";
import { badType, interleave, itemKind, type List } from "./strategic-order.js";

/**
 * Applies a strategic merge patch to an object of the type `node`: objects merge member by member, null removes, lists are
 * replaced unless the type declares that they merge, by key or as a set. Directives: `$patch`, `$retainKeys`,
 * `$setElementOrder/<list>`, `$deleteFromPrimitiveList/<list>`.
 *
 * Guarantees: inputs are not changed; what the patch does not name is shared with `current`.
 * Throws 400 for malformed directives, 422 for lists of lists, 500 without a reason for all else, as upstream does (k8s.io/apimachinery/pkg/util/strategicpatch/patch.go, StrategicMergePatch).
 * Caveat: members that the type does not have are taken over: the decoder's walk drops or reports them.
 */
export function applyStrategicMergePatch(current: JsonObject, patch: unknown, node: SchemaNode): JsonObject {
  if (!isObject(patch)) throw malformedPatch("invalid JSON document");
  checkDepth(patch);
  return mergeObject(current, patch, node, "object");
}

/** Whether the left side is an object, or a patch itself: then nulls and directives are kept, to be sent on. */
export type MergeInto = "object" | "patch";

export function mergeObject(original: JsonObject, patch: JsonObject, node: SchemaNode, into: MergeInto): JsonObject {
  const directive = getOwn<unknown>(patch, patchDirective);
  if (directive !== undefined) return followDirective(directive, patch);
  const out: Record<string, unknown> = { ...original };
  const rest = new Map(ownEntries<unknown>(patch));
  applyRetainKeys(out, rest, into);
  for (const key of rest.keys())
    if (key.startsWith(elementOrderPrefix)) applyElementOrder(out, rest, key, { node, into });
  for (const [key, value] of rest) mergeMember(out, key, value, { node, into });
  return out;
}

interface Context {
  readonly node: SchemaNode;
  readonly into: MergeInto;
}

function applyRetainKeys(out: Record<string, unknown>, rest: Map<string, unknown>, into: MergeInto): void {
  const retained = rest.get(retainKeysDirective);
  if (retained === undefined) return;
  rest.delete(retainKeysDirective);
  if (into === "patch") {
    const before = getOwn(out, retainKeysDirective);
    if (before === undefined) setOwn(out, retainKeysDirective, retained);
    else if (!equalJson(before, retained)) {
      throw unmergeable(
        `${goText(before)} and ${goText(retained)} are not deep equal: this may happen when calculating the 3-way diff patch`,
      );
    }
    return;
  }
  if (!isList(retained)) throw malformedPatch(badRetainKeys);
  const keys = new Set(retained);
  for (const [key, value] of rest) {
    const governed = value !== null && !key.startsWith(deleteFromListPrefix) && !key.startsWith(elementOrderPrefix);
    if (governed && !keys.has(key)) throw malformedPatch(badRetainKeys);
  }
  for (const key of Object.keys(out)) if (!keys.has(key)) deleteOwn(out, key);
}

/** `$setElementOrder`: merges the list that it is about, if there is one, and takes both out of `rest`. */
function applyElementOrder(
  out: Record<string, unknown>,
  rest: Map<string, unknown>,
  key: string,
  { node, into }: Context,
): void {
  const order = rest.get(key);
  if (into === "patch") {
    const before = getOwn(out, key);
    if (before === undefined) setOwn(out, key, order);
    else if (!equalJson(before, order)) throw malformedPatch(badElementOrder);
  }
  rest.delete(key);
  if (!isList(order)) throw badType("[]interface {}", order);
  const name = listNameOf(key, elementOrderPrefix);
  const original = getOwn(out, name);
  const patch = rest.get(name);
  if (original !== undefined && !isList(original)) throw badType("[]interface {}", original);
  if (patch !== undefined && !isList(patch)) throw badType("[]interface {}", patch);
  const rule = ruleForList(node, name);
  checkElementOrder(patch ?? [], order, rule.mergeKey);
  const merged = mergeOrdered(original, patch, rule, into);
  if (merged === undefined) return;
  const kind = itemKind(original ?? [], patch ?? []);
  const live = original ?? [];
  const orders = {
    patchOrder: order,
    liveOrder: kind === "object" && patch ? liveOrderAfter(live, patch, rule.mergeKey) : live,
  };
  setOwn(out, name, interleave(partition(merged, order, rule.mergeKey), orders, { mergeKey: rule.mergeKey, kind }));
  rest.delete(name);
}

function mergeOrdered(
  original: List | undefined,
  patch: List | undefined,
  rule: MergeRule,
  into: MergeInto,
): List | undefined {
  if (patch === undefined) return original;
  if (original === undefined) return withoutDirectives(patch) as List;
  return mergeListValue(original, patch, { rule, into, deletes: false });
}

function mergeMember(out: Record<string, unknown>, patchKey: string, patch: unknown, { node, into }: Context): void {
  const deletes = patchKey.startsWith(deleteFromListPrefix);
  if (deletes && into === "patch") {
    setOwn(out, patchKey, patch);
    return;
  }
  const key = deletes ? listNameOf(patchKey, deleteFromListPrefix) : patchKey;
  if (patch === null) {
    deleteOwn(out, key);
    if (into === "object") return;
  }
  const before = getOwn(out, key);
  if (before === undefined || goType(before) !== goType(patch)) {
    if (!deletes) setOrDelete(out, key, withoutDirectives(into === "object" ? withoutNulls(patch) : patch));
  } else if (isObject(before)) {
    const rule = ruleForObject(node, key);
    setOwn(out, key, rule.strategy === "replace" ? patch : mergeObject(before, patch as JsonObject, rule.node, into));
  } else if (isList(before)) {
    setOwn(out, key, mergeListValue(before, patch as List, { rule: ruleForList(node, key), into, deletes }));
  } else setOrDelete(out, key, withoutDirectives(patch));
}

function setOrDelete(out: Record<string, unknown>, key: string, value: unknown): void {
  if (value === undefined) deleteOwn(out, key);
  else setOwn(out, key, value);
}

function mergeListValue(
  original: List,
  patch: List,
  { rule, into, deletes }: { rule: MergeRule; into: MergeInto; deletes: boolean },
): List {
  if (rule.strategy !== "merge" && !deletes) return patch;
  if (deletes && into === "object" && original.length + patch.length > 0 && itemKind(original, patch) === "scalar")
    return deleteFromList(original, patch);
  return mergeLists(original, patch, rule, (before, item) => mergeObject(before, item, rule.node, into));
}
