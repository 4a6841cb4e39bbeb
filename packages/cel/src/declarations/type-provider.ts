import { type Type } from "../types/type.js";
import { type Value } from "../values/value.js";

/** Types with declared fields, by name: objects of a schema, `Object.spec` of mutations. */
export interface TypeProvider {
  /** The type of that name, or undefined. */
  findType(name: string): Type | undefined;
  findField(typeName: string, field: string): Type | undefined;
  /** A value `Type{field: value, …}`; a CelError where it cannot be made. */
  newValue?(typeName: string, fields: ReadonlyMap<string, Value>): Value;
  /** A name that stands for a constant: an enumeration's member. */
  findConstant?(name: string): Value | undefined;
}

/** Asks several in turn. */
export function combineProviders(providers: readonly TypeProvider[]): TypeProvider {
  const first = <T>(ask: (provider: TypeProvider) => T | undefined): T | undefined => {
    for (const provider of providers) {
      const answer = ask(provider);
      if (answer !== undefined) return answer;
    }
    return undefined;
  };
  return {
    findType: (name) => first((provider) => provider.findType(name)),
    findField: (typeName, field) => first((provider) => provider.findField(typeName, field)),
    findConstant: (name) => first((provider) => provider.findConstant?.(name)),
    newValue(typeName, fields) {
      const owner = providers.find((provider) => provider.findType(typeName) !== undefined);
      const value = owner?.newValue?.(typeName, fields);
      if (value === undefined) throw new Error(`no provider can make a ${typeName}`);
      return value;
    },
  };
}
