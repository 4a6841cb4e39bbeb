import { type CostEstimator } from "../declarations/estimate.js";
import { type TypeProvider } from "../declarations/type-provider.js";
import { type DeclaredType } from "./declared-type.js";
import { isReservedName } from "./escaping.js";

/** Finds the objects within declared types by their names. Values of them cannot be made by expressions. */
export function declaredTypeProvider(roots: readonly DeclaredType[]): TypeProvider {
  const objects = new Map<string, DeclaredType>();
  const collect = (declared: DeclaredType): void => {
    if (declared.fields !== undefined) {
      objects.set(declared.type.name, declared);
      for (const field of declared.fields.values()) collect(field);
    }
    if (declared.element !== undefined) collect(declared.element);
  };
  for (const root of roots) collect(root);
  return {
    findType: (name) => objects.get(name)?.type,
    findField(typeName, field) {
      const fields = objects.get(typeName)?.fields;
      // A keyword can stand behind a dot as it is, besides in its escaped form.
      const declared = fields?.get(field) ?? (isReservedName(field) ? fields?.get(`__${field}__`) : undefined);
      return declared?.type;
    },
  };
}

/**
 * Sizes of what is reached from `self` and `oldSelf`, by the bounds of their declared type. Upstream does not look at the
 * variable's name: the names of types (`type(x) == string`) have the size of the root, which is 0 for an object.
 */
export function declaredSizes(root: DeclaredType): CostEstimator {
  return {
    estimateSize({ path }) {
      if (path.length === 0) return undefined;
      let at: DeclaredType | undefined = root;
      for (const part of path.slice(1)) at = stepInto(at, part);
      return at && { min: 0n, max: BigInt(at.maxElements) };
    },
  };
}

function stepInto(declared: DeclaredType | undefined, part: string): DeclaredType | undefined {
  switch (part) {
    case "@items":
    case "@values":
      return declared?.element;
    case "@keys":
      return declared?.key;
    default:
      return declared?.fields?.get(part);
  }
}
