import type { ApiKind } from "./api-kind.js";
import { eachSchema } from "./resolve-schema.js";

/** Whether any schema of a kind has rules in CEL. */
export const hasRules = ({ versions }: ApiKind): boolean =>
  versions.some(({ schema: { $defs = {}, ...root } }) =>
    [root, ...Object.values($defs as object)].some(hasRulesInside),
  );

function hasRulesInside(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  if ("x-kubernetes-validations" in schema) return true;
  let found = false;
  eachSchema(schema as Readonly<Record<string, unknown>>, (inner) => {
    found ||= hasRulesInside(inner);
    return inner;
  });
  return found;
}
