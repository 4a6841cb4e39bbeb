import { OptionalValue } from "../values/value.js";
import { type Evaluate } from "./frame.js";

/** Calls that do not evaluate all of their arguments. They cost nothing themselves. */
export interface SpecialPlan {
  readonly overload: string;
  evaluate(args: readonly Evaluate[]): Evaluate;
}

/** `a.or(b)`, `a.orValue(b)`: b is evaluated only where a holds nothing. */
export const specialPlans: ReadonlyMap<string, SpecialPlan> = new Map([
  ["or", { overload: "optional_or_optional", evaluate: (args) => orElse(args, false) }],
  ["orValue", { overload: "optional_orValue_value", evaluate: (args) => orElse(args, true) }],
]);

function orElse(args: readonly Evaluate[], unwraps: boolean): Evaluate {
  const [first, second] = args as [Evaluate, Evaluate];
  return (frame) => {
    const value = first(frame);
    if (!(value instanceof OptionalValue)) return value;
    if (value.value === undefined) return second(frame);
    return unwraps ? value.value : value;
  };
}
