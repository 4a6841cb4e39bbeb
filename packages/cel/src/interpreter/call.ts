import { type CostTracker, type FunctionDeclaration, type Overload } from "../declarations/function-declaration.js";
import { typeOf } from "../values/type-of.js";
import { CelError, type Value } from "../values/value.js";
import { type Evaluate, type Frame } from "./frame.js";
import { isOfType } from "./runtime-type.js";

export interface PlannedCall {
  readonly id: number;
  readonly args: readonly Evaluate[];
  /** The work itself, on values of whatever type. */
  readonly invoke: (args: Value[]) => Value;
  readonly isNonStrict: boolean;
  /** A constant argument was compiled: upstream then calls it as one with any number of arguments. */
  readonly isPrepared: boolean;
  /** Undefined for calls that cost 1. */
  readonly trackCost: CostTracker | undefined;
}

/** A call with all of its arguments evaluated first; an error among them is the result. */
export function evaluateCall(call: PlannedCall): Evaluate {
  const { args, id, isPrepared } = call;
  // From three arguments on, upstream stops at the first error, and the call then costs nothing.
  if (args.length > 2 || isPrepared) return (frame) => evaluateMany(frame, call);
  const [first, second] = args;
  if (first === undefined) return (frame) => finish(frame, call, []);
  if (second === undefined) return (frame) => finish(frame, call, [first(frame)]);
  const { invoke, trackCost, isNonStrict } = call;
  if (isNonStrict) return (frame) => finish(frame, call, [first(frame), second(frame)]);
  return (frame) => {
    const left = first(frame);
    const right = second(frame);
    if (left instanceof CelError || right instanceof CelError) {
      charge(frame, trackCost, [left, right], null);
      return left instanceof CelError ? left : right;
    }
    const result = label(invoke([left, right]), id);
    if (trackCost === undefined) frame.cost++;
    else charge(frame, trackCost, [left, right], result);
    return result;
  };
}

function evaluateMany(frame: Frame, call: PlannedCall): Value {
  const values: Value[] = [];
  const last = call.args.length - 1;
  for (const [index, arg] of call.args.entries()) {
    const value = arg(frame);
    values.push(value);
    if (value instanceof CelError && !call.isNonStrict) {
      if (index === last) charge(frame, call.trackCost, values, null);
      return value;
    }
  }
  return finish(frame, call, values);
}

function finish(frame: Frame, call: PlannedCall, values: Value[]): Value {
  const error = call.isNonStrict ? undefined : values.find((value) => value instanceof CelError);
  const result = error ?? label(call.invoke(values), call.id);
  charge(frame, call.trackCost, values, result);
  return result;
}

/** Arguments that are errors count too, with a size of 1. */
function charge(frame: Frame, track: CostTracker | undefined, args: readonly Value[], result: Value | null): void {
  frame.cost += track?.(args, result) ?? 1;
}

function label(value: Value, id: number): Value {
  if (value instanceof CelError && value.id === 0) value.id = id;
  return value;
}

/** How a call finds the overload for the values it gets: the one that the checker chose, or any that fits. */
export function dispatch(declaration: FunctionDeclaration, chosen: readonly string[]): (args: Value[]) => Value {
  const { implementation, overloads } = declaration;
  if (implementation !== undefined) return (args) => implementation(...args);
  const candidates = chosen.length === 1 ? overloads.filter((overload) => overload.id === chosen[0]) : overloads;
  return (args) => {
    for (const overload of candidates) {
      if (overload.implementation !== undefined && accepts(overload, args)) return overload.implementation(...args);
    }
    return new CelError(`no such overload: ${declaration.name}(${args.map((arg) => typeOf(arg).name).join(", ")})`);
  };
}

function accepts(overload: Overload, args: readonly Value[]): boolean {
  if (overload.args.length !== args.length) return false;
  for (let index = 0; index < args.length; index++) {
    const value = args[index] as Value;
    const isError = value instanceof CelError && overload.isNonStrict === true;
    const type = overload.args[index];
    if (!isError && (type === undefined || !isOfType(value, type))) return false;
  }
  return true;
}
