import { type Type } from "../types/type.js";
import { type CelError, type Value } from "../values/value.js";
import { type CallEstimator } from "./estimate.js";

/**
 * One signature of a function, with all there is to know of it.
 *
 * `implementation` is called with values of the declared types only: an argument of type `string` is a string, a type
 * parameter or `dyn` is anything. It returns a `CelError` where it fails; it never throws.
 */
export interface Overload {
  /** Upstream's identifier, `string_index_of_string`: cost rules go by it. */
  readonly id: string;
  /** For a member, the first is what it is called on. */
  readonly args: readonly Type[];
  readonly result: Type;
  readonly isMember?: boolean;
  /** Left out where the function has one for all overloads, or the interpreter knows it. */
  readonly implementation?: (...args: Value[]) => Value;
  /**
   * Given the arguments that are constant (undefined for the others), what to call in place of the implementation: a
   * compiled pattern. An error makes the whole expression one that cannot be evaluated.
   */
  readonly prepare?: (
    constants: readonly (Value | undefined)[],
  ) => ((...args: Value[]) => Value) | CelError | undefined;
  /** Errors among the arguments are passed to the implementation. @default false */
  readonly isNonStrict?: boolean;
  /** The cost of a call before it is evaluated. @default 1 */
  readonly estimateCost?: CallEstimator;
  /** The cost of a call that was evaluated. @default 1 */
  readonly trackCost?: CostTracker;
}

/** The cost of one evaluated call; undefined leaves it to the next rule. Arguments may be errors, whatever their types. */
export type CostTracker = (args: readonly Value[], result: Value) => number | undefined;

export interface FunctionDeclaration {
  /** As it is called; a namespace is part of it: `sets.contains`. */
  readonly name: string;
  readonly overloads: readonly Overload[];
  /**
   * One implementation for all overloads, called with values of any type, in place of theirs: for operators, whose work is
   * chosen by the values' types. What it cannot do is `noSuchOverload()`.
   */
  readonly implementation?: (...args: Value[]) => Value;
  /** For overloads without a cost of their own, or that have none for a call. */
  readonly estimateCost?: CallEstimator;
  readonly trackCost?: CostTracker;
}

export const declareFunction = (name: string, ...overloads: Overload[]): FunctionDeclaration => ({ name, overloads });

/**
 * Several declarations of one name are one function; a later overload of the same id takes the place of the earlier. One
 * without overloads only gives costs to what others declare.
 */
export function mergeFunctions(declarations: Iterable<FunctionDeclaration>): Map<string, FunctionDeclaration> {
  const functions = new Map<string, FunctionDeclaration>();
  for (const declaration of declarations) {
    const former = functions.get(declaration.name);
    const byId = new Map(former?.overloads.map((overload) => [overload.id, overload]));
    for (const overload of declaration.overloads) byId.set(overload.id, overload);
    functions.set(declaration.name, { ...former, ...declaration, overloads: [...byId.values()] });
  }
  return functions;
}
