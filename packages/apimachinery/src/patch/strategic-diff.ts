import { equalJson } from "../json/equal.js";
import { getOwn, ownEntries, setOwn } from "../own/index.js";
import type { SchemaNode } from "../schema/index.js";
import { compareUtf8 } from "../text/utf8-order.js";
import { goType } from "./go-text.js";
import { isList, isObject, type JsonObject } from "./json-value.js";
import { unmergeable } from "./patch-errors.js";
import {
  deleteFromListPrefix,
  elementOrderPrefix,
  patchDirective,
  retainKeysDirective,
} from "./strategic-directives.js";
import { diffObjectLists, diffScalarLists } from "./strategic-list-diff.js";
import { type MergeRule, ruleForList, ruleForObject } from "./strategic-metadata.js";
import { itemKind, type List } from "./strategic-order.js";

export interface DiffOptions {
  /** Whether to include the order of lists that merge. */
  readonly elementOrder: boolean;
  /** Whether additions and changes go into the patch. */
  readonly changes: boolean;
  readonly deletions: boolean;
}

/** The strategic merge patch that makes `modified` out of `original`, as far as `options` ask for it. */
export function diffObjects(
  original: JsonObject,
  modified: JsonObject,
  node: SchemaNode,
  options: DiffOptions,
): Record<string, unknown> {
  return diff(original, modified, { node, options, retainKeys: false });
}

interface Context {
  readonly node: SchemaNode;
  readonly options: DiffOptions;
  /** Whether to list the members that stay, by the type's strategy. */
  readonly retainKeys: boolean;
}

function diff(original: JsonObject, modified: JsonObject, context: Context): Record<string, unknown> {
  const { options, retainKeys } = context;
  const patch: Record<string, unknown> = {};
  for (const [key, after] of ownEntries<unknown>(modified)) {
    const before = getOwn<unknown>(original, key);
    if (before === undefined) {
      if (options.changes) setOwn(patch, key, after);
    } else if (key === patchDirective) diffDirective(patch, before, after);
    else if (goType(before) !== goType(after)) {
      if (options.changes) setOwn(patch, key, after);
    } else diffMember(patch, key, { before, after }, context);
  }
  if (options.deletions)
    for (const key of Object.keys(original)) if (getOwn<unknown>(modified, key) === undefined) setOwn(patch, key, null);
  if (!retainKeys) return patch;
  const retained = ownEntries<unknown>(modified).filter(([, value]) => value !== null);
  const clears = ownEntries<unknown>(original).some(
    ([key, value]) => value !== null && getOwn<unknown>(modified, key) === undefined,
  );
  if (retained.length > 0 && (Object.keys(patch).length > 0 || clears)) {
    setOwn(patch, retainKeysDirective, retained.map(([key]) => key).sort(compareUtf8));
  }
  return patch;
}

function diffDirective(patch: Record<string, unknown>, before: unknown, after: unknown): void {
  if (typeof before !== "string" || typeof after !== "string")
    throw unmergeable(`invalid value for special key: ${patchDirective}`);
  if (before !== after) setOwn(patch, patchDirective, after);
}

function diffMember(
  patch: Record<string, unknown>,
  key: string,
  { before, after }: { before: unknown; after: unknown },
  context: Context,
): void {
  const { node, options } = context;
  if (isObject(before)) {
    const rule = ruleOrEqual(before, after, () => ruleForObject(node, key));
    if (rule === undefined) return;
    if (rule.strategy === "replace") {
      if (options.changes) setOwn(patch, key, after);
      return;
    }
    const inner = diff(before, after as JsonObject, { node: rule.node, options, retainKeys: rule.retainKeys });
    if (Object.keys(inner).length > 0) setOwn(patch, key, inner);
  } else if (isList(before)) {
    const rule = ruleOrEqual(before, after, () => ruleForList(node, key));
    if (rule === undefined) return;
    if (rule.strategy === "merge") diffMergingList(patch, key, { before, after: after as List }, { rule, options });
    else if (options.changes && !equalJson(before, after)) setOwn(patch, key, after);
  } else if (options.changes && !equalJson(before, after)) setOwn(patch, key, after);
}

/** A member that the type does not have is no fault as long as it did not change. */
function ruleOrEqual(before: unknown, after: unknown, rule: () => MergeRule): MergeRule | undefined {
  try {
    return rule();
  } catch (error) {
    if (equalJson(before, after)) return undefined;
    throw error;
  }
}

function diffMergingList(
  patch: Record<string, unknown>,
  key: string,
  { before, after }: { before: List; after: List },
  { rule, options }: { rule: MergeRule; options: DiffOptions },
): void {
  if (before.length === 0) {
    if (after.length > 0 && options.changes) setOwn(patch, key, after);
    return;
  }
  const lists =
    itemKind(before, after) === "object"
      ? diffObjectLists(
          before as readonly JsonObject[],
          after as readonly JsonObject[],
          rule.mergeKey,
          options,
          (left, right) => diff(left, right, { node: rule.node, options, retainKeys: rule.retainKeys }),
        )
      : diffScalarLists(before, after, options);
  if (lists.additions.length > 0) setOwn(patch, key, lists.additions);
  if (lists.deletions.length > 0) setOwn(patch, `${deleteFromListPrefix}/${key}`, lists.deletions);
  if (lists.order.length > 0) setOwn(patch, `${elementOrderPrefix}/${key}`, lists.order);
}
