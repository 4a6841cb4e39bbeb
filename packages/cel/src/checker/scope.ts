import { type FunctionDeclaration } from "../declarations/function-declaration.js";
import { type TypeProvider } from "../declarations/type-provider.js";
import { intType, type Type, typeOfType } from "../types/type.js";
import { type Value } from "../values/value.js";

/** What the checker looks names up in. */
export interface CheckerEnvironment {
  /** The namespace in which names are resolved; "" for none. */
  readonly container: string;
  readonly variables: ReadonlyMap<string, Type>;
  /** Names of types, `int` and `timestamp` among them. */
  readonly typeNames: ReadonlyMap<string, Type>;
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  readonly provider: TypeProvider;
  /** Overloads that are not to be seen: comparisons between different types of numbers. */
  readonly disabledOverloads: ReadonlySet<string>;
}

export interface Declared {
  readonly name: string;
  readonly type: Type;
  readonly value?: Value;
}

/** Variables of comprehensions over the environment's. */
export class Scope {
  readonly environment: CheckerEnvironment;
  readonly #locals: Map<string, Type>[] = [];

  constructor(environment: CheckerEnvironment) {
    this.environment = environment;
  }

  push(variables: readonly (readonly [string, Type])[]): void {
    this.#locals.push(new Map(variables));
  }

  pop(): void {
    this.#locals.pop();
  }

  lookupIdent(name: string): Declared | undefined {
    for (const candidate of candidateNames(this.environment.container, name)) {
      const found = this.#find(candidate);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #find(name: string): Declared | undefined {
    const { variables, typeNames, provider } = this.environment;
    for (let index = this.#locals.length - 1; index >= 0; index--) {
      const type = this.#locals[index]?.get(name);
      if (type !== undefined) return { name, type };
    }
    const type = variables.get(name);
    if (type !== undefined) return { name, type };
    const named = provider.findType(name) ?? typeNames.get(name);
    if (named !== undefined) return { name, type: typeOfType(named) };
    const value = provider.findConstant?.(name);
    return value === undefined ? undefined : { name, type: intType, value };
  }

  lookupFunction(name: string): FunctionDeclaration | undefined {
    for (const candidate of candidateNames(this.environment.container, name)) {
      const found = this.environment.functions.get(candidate);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** The names that one may stand for within a container: the innermost first. A leading dot means the root. */
export function candidateNames(container: string, name: string): string[] {
  if (name.startsWith(".")) return [name.slice(1)];
  const names: string[] = [];
  for (let at = container; at !== ""; at = at.slice(0, Math.max(0, at.lastIndexOf(".")))) names.push(`${at}.${name}`);
  return [...names, name];
}
