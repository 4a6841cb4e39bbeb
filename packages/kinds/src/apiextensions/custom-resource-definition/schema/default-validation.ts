import { builtInTypes } from "@coxswain/api/tables";
import type { FieldError, FieldPath } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import {
  type CheckDefaultRules,
  pruneDefaults,
  readStructural,
  type Structural,
  validateDefaults,
} from "@coxswain/apimachinery/structural-schema";
import type { Steps } from "@coxswain/runtime/steps";
import { checkRules } from "../../../validation-rules/check-rules.js";
import { type RuleCompiler, runtimeCostBudget } from "../../../validation-rules/rule-compiler.js";
import { compileRules } from "../../../validation-rules/rule-tree.js";
import { FieldPathError, findField } from "./find-field.js";
import { hasSchema, type Schema } from "./schema-walk.js";
import { isStructural } from "./structural-validation.js";

const objectMeta = builtInTypes.get("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");

/** Defaults must be what the schema itself asks for, and keep its rules. */
export function* checkDefaults(
  schema: Structural,
  path: FieldPath,
  { pruned, compiler }: { readonly pruned: boolean; readonly compiler: RuleCompiler | undefined },
): Steps<FieldError[]> {
  const rules = compiler && { checkRules: checkDefaultRules(compiler) };
  return yield* validateDefaults(schema, { objectMeta, pruned, path, ...rules });
}

/** All defaults of a schema share one budget. */
function checkDefaultRules(compiler: RuleCompiler): CheckDefaultRules {
  let budget = runtimeCostBudget;
  return (value, schema, { path, isResource }) => {
    const tree = compileRules(schema, compiler, { isResource, normalizeFieldPath });
    if (!tree) return { errors: [], exhausted: false };
    const kept = checkRules(tree, value, value, { path, budget });
    // A rule that knows `oldSelf` or not must hold for a new value too.
    const fresh = kept.errors.length === 0 ? checkRules(tree, value, undefined, { path, budget }) : kept;
    budget = Math.min(kept.budget, fresh.budget);
    return { errors: fresh.errors, exhausted: budget < 0 };
  };
}

/** A rule's path as messages show it. */
export function normalizeFieldPath(text: string, { source }: Structural): string | undefined {
  try {
    return findField(text, source).path.replace(/^\./, "");
  } catch (err) {
    if (err instanceof FieldPathError) return undefined;
    throw err;
  }
}

/** Whether defaults have members that the schema does not know. */
export function hasUnprunedDefaults(schema: Schema | undefined): boolean {
  if (!hasSchema(schema, ({ default: value }) => value !== undefined) || !isStructural(schema)) return false;
  const structural = readStructural(schema);
  return differs(structural, pruneDefaults(structural, { objectMeta }));
}

function differs(before: Structural, after: Structural): boolean {
  if (!equalJson(before.defaultValue, after.defaultValue)) return true;
  const others = childrenOf(after);
  return childrenOf(before).some((inner, at) => {
    const other = others[at];
    return other !== undefined && differs(inner, other);
  });
}

const childrenOf = ({ properties, additionalProperties, items }: Structural): Structural[] =>
  [...properties.values(), additionalProperties, items].filter((inner) => typeof inner === "object");
