import { type Value } from "../values/value.js";

/** Where an evaluation takes its variables from; a Map is one. */
export interface Bindings {
  /** The value of a variable, or undefined where it has none. */
  get(name: string): Value | undefined;
}

/** The state of one evaluation. */
export interface Frame {
  readonly bindings: Bindings;
  /** Variables of comprehensions, by the slot that the planner gave them. */
  readonly locals: (Value | undefined)[];
  /** What evaluation has cost so far. */
  cost: number;
  readonly costLimit: number;
  readonly isInterrupted: (() => boolean) | undefined;
  /** Steps of comprehensions so far. */
  steps: number;
}

/** Evaluates one node. Errors are returned, not thrown. */
export type Evaluate = (frame: Frame) => Value;

/** Leaves an evaluation whose cost exceeds its limit. Unlike an error, nothing absorbs it. */
export class CostLimitExceeded extends Error {
  constructor() {
    super("operation cancelled: actual cost limit exceeded");
  }
}
