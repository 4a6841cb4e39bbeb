import { type CostEstimator } from "../cost/estimate.js";
import { type TypeProvider } from "../environment/type-provider.js";
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

/** Sizes of what is reached from a variable, by the bounds of its declared type. Variables that are not there are of unknown size. */
export function declaredSizes(variables: ReadonlyMap<string, DeclaredType>): CostEstimator {
  return {
    estimateSize({ path }) {
      const [variable, ...rest] = path;
      let at = variable === undefined ? undefined : variables.get(variable);
      for (const part of rest) at = stepInto(at, part);
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
