import { dynType, isAssignableType, isDyn, isDynOrError, isExactType, Type } from "../types/type.js";

/** What type parameters stand for so far. */
export class Substitution {
  readonly #types: Bindings;

  constructor(types: Iterable<readonly [string, Type]> = []) {
    this.#types = new Bindings(types);
  }

  /** The type with its parameters replaced; those that are still free become `dyn` where asked. */
  apply(type: Type, freeToDyn = false): Type {
    return substitute(this.#types, type, freeToDyn);
  }

  /** Whether the two agree, with parameters bound on the way. A failed attempt leaves no trace. */
  assign(to: readonly Type[], from: readonly Type[]): boolean {
    this.#types.begin();
    const agree = assignAll(this.#types, to, from);
    if (!agree) this.#types.undo();
    return agree;
  }
}

/** A map that can take back what was set since `begin`. Copies of it would make checking quadratic. */
class Bindings {
  readonly #types: Map<string, Type>;
  #changes: [name: string, before: Type | undefined][] = [];

  constructor(types: Iterable<readonly [string, Type]>) {
    this.#types = new Map(types);
  }

  get(name: string): Type | undefined {
    return this.#types.get(name);
  }

  set(name: string, type: Type): void {
    this.#changes.push([name, this.#types.get(name)]);
    this.#types.set(name, type);
  }

  begin(): void {
    this.#changes = [];
  }

  undo(): void {
    for (const [name, before] of this.#changes.reverse()) {
      if (before === undefined) this.#types.delete(name);
      else this.#types.set(name, before);
    }
    this.#changes = [];
  }
}

function assignAll(types: Bindings, to: readonly Type[], from: readonly Type[]): boolean {
  return to.length === from.length && to.every((type, index) => assign(types, type, from[index] as Type));
}

/** Whether the two agree, with parameters bound on the way. */
function assign(types: Bindings, t1: Type, t2: Type): boolean {
  if (t2.kind === "type_param") {
    const { valid, known } = bind(types, t1, t2);
    if (valid) return true;
    if (known) return false;
  }
  if (t1.kind === "type_param") return bind(types, t2, t1).valid;
  if (isDynOrError(t1) || isDynOrError(t2)) return true;
  if (t1.kind === "null") return isNullable(t2);
  if (t2.kind === "null") return isNullable(t1);
  switch (t1.kind) {
    case "type":
      return t2.kind === "type";
    case "opaque":
    case "list":
    case "map":
      return t1.kind === t2.kind && t1.name === t2.name && assignAll(types, t1.parameters, t2.parameters);
    default:
      return isAssignableType(t2, t1);
  }
}

const isNullable = (type: Type): boolean =>
  type.nullable ||
  type.kind === "opaque" ||
  type.kind === "struct" ||
  type.kind === "duration" ||
  type.kind === "timestamp" ||
  type.kind === "null";

/** Binds the parameter `t2` to `t1`. `known`: it was bound before. */
function bind(types: Bindings, t1: Type, t2: Type): { valid: boolean; known: boolean } {
  if (t1.kind === t2.kind && isExactType(t1, t2)) return { valid: true, known: true };
  const bound = types.get(t2.name);
  if (bound !== undefined) {
    if (t1.kind === bound.kind && isExactType(t1, bound)) return { valid: true, known: true };
    if (!assign(types, t1, bound)) return { valid: false, known: true };
    const general = mostGeneral(t1, bound);
    if (isFreeOf(types, t2, general)) types.set(t2.name, general);
    return { valid: true, known: true };
  }
  if (!isFreeOf(types, t2, t1)) return { valid: false, known: false };
  types.set(t2.name, t1);
  return { valid: true, known: false };
}

/** Whether the parameter does not occur within the type: a type that contains itself has no end. */
function isFreeOf(types: Bindings, parameter: Type, within: Type): boolean {
  if (isExactType(parameter, within)) return false;
  if (within.kind === "type_param") {
    const bound = types.get(within.name);
    return bound === undefined || isFreeOf(types, parameter, bound);
  }
  return within.parameters.every((inner) => isFreeOf(types, parameter, inner));
}

function substitute(types: Bindings, type: Type, freeToDyn: boolean): Type {
  if (type.kind === "type_param") {
    const bound = types.get(type.name);
    if (bound !== undefined) return substitute(types, bound, freeToDyn);
    return freeToDyn ? dynType : type;
  }
  if (type.parameters.length === 0) return type;
  const parameters = type.parameters.map((parameter) => substitute(types, parameter, freeToDyn));
  if (parameters.every((parameter, index) => parameter === type.parameters[index])) return type;
  return new Type(type.kind, type.name, parameters, type.nullable);
}

/** The more general one of two types. */
export const mostGeneral = (t1: Type, t2: Type): Type => (isEqualOrLessSpecific(t1, t2) ? t1 : t2);

function isEqualOrLessSpecific(t1: Type, t2: Type): boolean {
  if (isDyn(t1) || t1.kind === "type_param") return true;
  if (isDyn(t2) || t2.kind === "type_param" || t1.kind !== t2.kind) return false;
  if (t1.kind === "type") return true;
  if (t1.kind !== "opaque" && t1.kind !== "list" && t1.kind !== "map") return isExactType(t1, t2);
  return (
    t1.name === t2.name &&
    t1.parameters.length === t2.parameters.length &&
    t1.parameters.every((parameter, index) => isEqualOrLessSpecific(parameter, t2.parameters[index] as Type))
  );
}

/** The names of a signature's type parameters. */
export function typeParamsOf(types: readonly Type[], into = new Set<string>()): Set<string> {
  for (const type of types) {
    if (type.kind === "type_param") into.add(type.name);
    typeParamsOf(type.parameters, into);
  }
  return into;
}
