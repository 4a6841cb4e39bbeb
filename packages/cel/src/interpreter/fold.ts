import { goTypeName } from "../values/go-type-name.js";
import { ArrayList, elementsOf, GrowingList } from "../values/list-value.js";
import { GrowingMap } from "../values/map-value.js";
import { CelError, ListValue, MapValue, type Value } from "../values/value.js";
import { CostLimitExceeded, type Evaluate, type Frame } from "./frame.js";

/** How often a long evaluation looks whether it is to end: upstream's number of steps. */
const interruptInterval = 100;

/** A comprehension, planned. */
export interface Fold {
  readonly range: Evaluate;
  readonly init: Evaluate;
  readonly condition: Evaluate;
  readonly step: Evaluate;
  readonly result: Evaluate;
  /** Slots of the variables; `variable2` is -1 for comprehensions over one. */
  readonly variable: number;
  readonly variable2: number;
  readonly accumulator: number;
  /** The accumulator starts as an empty list or map that nothing else can see, so it grows in place. */
  readonly isGrowing: boolean;
}

/** Reads an accumulator, which has its first value computed when it is first read. */
export function readAccumulator(slot: number, init: Evaluate, isGrowing: boolean): Evaluate {
  return (frame) => {
    const value = frame.locals[slot];
    if (value !== undefined) return value;
    const first = init(frame);
    const start = isGrowing ? growable(first) : first;
    frame.locals[slot] = start;
    return start;
  };
}

function growable(value: Value): Value {
  if (value instanceof ListValue && value.size === 0) return new GrowingList();
  return value instanceof MapValue && value.size === 0 ? new GrowingMap() : value;
}

export function evaluateFold(frame: Frame, fold: Fold): Value {
  const range = fold.range(frame);
  if (range instanceof CelError) return range;
  const { locals } = frame;
  locals[fold.accumulator] = undefined;
  const problem = fold.variable2 < 0 ? foldSingle(frame, fold, range) : foldPairs(frame, fold, range);
  if (problem !== undefined) return problem;
  const result = fold.result(frame);
  if (result instanceof GrowingList) return new ArrayList(result.elements);
  return result;
}

function foldSingle(frame: Frame, fold: Fold, range: Value): CelError | undefined {
  if (range instanceof ListValue) {
    const size = range.size;
    for (let index = 0; index < size; index++) {
      frame.locals[fold.variable] = range.get(index);
      const ended = advance(frame, fold);
      if (ended !== undefined) return ended === true ? undefined : ended;
    }
    return undefined;
  }
  if (range instanceof MapValue) {
    for (const key of range.keys()) {
      frame.locals[fold.variable] = key;
      const ended = advance(frame, fold);
      if (ended !== undefined) return ended === true ? undefined : ended;
    }
    return undefined;
  }
  return new CelError(`got '${goTypeName(range)}', expected iterable type`);
}

function foldPairs(frame: Frame, fold: Fold, range: Value): CelError | undefined {
  const entries = pairsOf(range);
  if (entries === undefined) return new CelError(`unsupported comprehension range type: ${goTypeName(range)}`);
  for (const [key, value] of entries) {
    frame.locals[fold.variable] = key;
    frame.locals[fold.variable2] = value;
    const ended = advance(frame, fold);
    if (ended !== undefined) return ended === true ? undefined : ended;
  }
  return undefined;
}

function pairsOf(range: Value): Iterable<readonly [Value, Value]> | undefined {
  if (range instanceof ListValue) return [...elementsOf(range)].map((element, index) => [index, element] as const);
  if (range instanceof MapValue) return [...range.keys()].map((key) => [key, range.find(key) as Value] as const);
  return undefined;
}

/** One step. True ends the loop, an error ends the evaluation. */
function advance(frame: Frame, fold: Fold): true | CelError | undefined {
  // An error as condition goes on: the step absorbs or keeps it.
  if (fold.condition(frame) === false) return true;
  const value = fold.step(frame);
  frame.locals[fold.accumulator] = value;
  if (frame.cost > frame.costLimit) throw new CostLimitExceeded();
  if (++frame.steps % interruptInterval === 0 && frame.isInterrupted?.() === true)
    return new CelError("operation interrupted");
  return undefined;
}
