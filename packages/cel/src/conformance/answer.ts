import { goFloat } from "@coxswain/apimachinery/text";
import { type CostEstimator } from "../declarations/estimate.js";
import { type Environment } from "../environment/environment.js";
import { ProgramError } from "../interpreter/fold-constants.js";
import { type Bindings } from "../interpreter/frame.js";
import { formatType } from "../types/format-type.js";
import { Type } from "../types/type.js";
import { isInt } from "../values/int.js";
import { elementsOf } from "../values/list-value.js";
import { formatTimestamp } from "../values/timestamp.js";
import { typeOf } from "../values/type-of.js";
import { Double, Duration, ListValue, MapValue, OptionalValue, Timestamp, Uint, type Value } from "../values/value.js";

/** What tools/answers/cel reports of an expression: its fields are those of the program there. */
export interface Answer {
  readonly compileError?: string;
  readonly type?: string;
  /** The least and most that evaluation may cost. */
  readonly estimate?: readonly [string, string];
  readonly programError?: string;
  readonly error?: string;
  readonly value?: unknown;
  readonly cost?: number;
}

export interface AnswerOptions {
  readonly environment: Environment;
  readonly bindings: Bindings;
  readonly estimator: CostEstimator;
  readonly costLimit?: number;
}

/** Our own answer. */
export function answer(expression: string, options: AnswerOptions): Answer {
  const { environment, bindings, estimator, costLimit = Number.POSITIVE_INFINITY } = options;
  const compiled = environment.compile(expression);
  if (!compiled.ok) return { compileError: compiled.message };
  const { min, max } = environment.estimateCost(compiled.checked, estimator);
  const known = { type: formatType(compiled.type), estimate: [String(min), String(max)] as const };
  try {
    const result = environment.program(compiled.checked, { costLimit }).evaluate(bindings);
    const { cost } = result;
    return result.ok ? { ...known, value: plain(result.value), cost } : { ...known, error: result.error.message, cost };
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    return { ...known, programError: error.message };
  }
}

/** In whatever order the fields are. */
export const isSameAnswer = (a: Answer, b: Answer): boolean =>
  JSON.stringify(sortedFields(a)) === JSON.stringify(sortedFields(b));

const sortedFields = (one: Answer): [string, unknown][] => Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1));

/** A value with its type, as the program writes it. */
function plain(value: Value): unknown {
  if (value === null) return ["null"];
  if (typeof value === "boolean") return ["bool", value];
  if (typeof value === "string") return ["string", value];
  if (isInt(value)) return ["int", String(value)];
  if (value instanceof Uint) return ["uint", String(value.value)];
  if (value instanceof Double) return ["double", Object.is(value.value, -0) ? "-0" : goFloat(value.value)];
  if (value instanceof Uint8Array) return ["bytes", Buffer.from(value).toString("hex")];
  if (value instanceof Timestamp)
    return ["timestamp", formatTimestamp(new Timestamp(value.seconds, value.nanoseconds))];
  if (value instanceof Duration) return ["duration", String(value.nanoseconds)];
  if (value instanceof Type) return ["type", value.name];
  if (value instanceof OptionalValue)
    return value.value === undefined ? ["optional"] : ["optional", plain(value.value)];
  if (value instanceof ListValue) return ["list", [...elementsOf(value)].map(plain)];
  if (value instanceof MapValue) return ["map", plainEntries(value)];
  return ["other", typeOf(value).name, String(value)];
}

const plainEntries = (map: MapValue): unknown[] =>
  [...map.keys()]
    .map((key) => [plain(key), plain(map.find(key) as Value)] as const)
    .sort(([a], [b]) => (shown(a) < shown(b) ? -1 : 1));

/** As Go prints the key, which is the order there. */
const shown = (key: unknown): string => `[${(key as unknown[]).join(" ")}]`;
