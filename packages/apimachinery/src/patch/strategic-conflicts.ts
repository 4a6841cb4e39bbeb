import { equalJson } from "../json/equal.js";
import { getOwn, ownEntries } from "../own/index.js";
import type { SchemaNode } from "../schema/index.js";
import { compareUtf8 } from "../text/utf8-order.js";
import { goText } from "./go-text.js";
import { isList, isObject, type JsonObject } from "./json-value.js";
import { patchDirective, retainKeysDirective } from "./strategic-directives.js";
import { type MergeRule, ruleForList, ruleForObject } from "./strategic-metadata.js";
import { itemKind, type List, requireMergeKey } from "./strategic-order.js";

/** Whether two strategic merge patches change one member to different values. */
export function patchesConflict(left: JsonObject, right: JsonObject, node: SchemaNode): boolean {
  return valuesConflict(left, right, { node, strategy: "", retainKeys: false, mergeKey: "" });
}

function valuesConflict(left: unknown, right: unknown, rule: MergeRule | undefined): boolean {
  if (isObject(left)) {
    if (!isObject(right)) return true;
    // A directive is about the whole object.
    if (getOwn<unknown>(left, patchDirective) !== getOwn<unknown>(right, patchDirective)) return true;
    return rule?.strategy !== "replace" && objectsConflict(left, right, rule?.node);
  }
  if (isList(left)) return !isList(right) || listsConflict(left, right, rule);
  return !equalJson(left, right);
}

function objectsConflict(left: JsonObject, right: JsonObject, node: SchemaNode | undefined): boolean {
  return ownEntries<unknown>(left).some(([key, value]) => {
    if (key === patchDirective || key === retainKeysDirective) return false;
    const other = getOwn<unknown>(right, key);
    if (other === undefined) return false;
    return valuesConflict(value, other, node && ruleFor(node, key, value));
  });
}

/** Parallel lists that stand in both patches are no members of the type, and so an error: upstream fails there too. */
function ruleFor(node: SchemaNode, key: string, value: unknown): MergeRule | undefined {
  if (isList(value)) return ruleForList(node, key);
  return isObject(value) ? ruleForObject(node, key) : undefined;
}

function listsConflict(left: List, right: List, rule: MergeRule | undefined): boolean {
  const kind = itemKind(left, right);
  if (rule?.strategy === "merge") {
    if (kind === "scalar") return false;
    const byKey = (list: List): Map<string, JsonObject> =>
      new Map(
        list.map((item) => [
          goText(getOwn<unknown>(requireMergeKey(item, rule.mergeKey), rule.mergeKey)),
          item as JsonObject,
        ]),
      );
    const rights = byKey(right);
    return [...byKey(left)].some(
      ([key, item]) => rights.has(key) && valuesConflict(item, rights.get(key), { ...rule, strategy: "" }),
    );
  }
  if (left.length !== right.length) return true;
  const [lefts, rights] = kind === "object" ? [left, right] : [distinct(left), distinct(right)];
  return lefts.some((item, index) => valuesConflict(item, rights[index], rule && { ...rule, strategy: "" }));
}

const distinct = (list: List): unknown[] => [...new Set(list)].sort((a, b) => compareUtf8(goText(a), goText(b)));
