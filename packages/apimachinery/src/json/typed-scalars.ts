import { typeCodes } from "../schema/index.js";
import { canonicalDuration } from "./canonical-duration.js";
import { canonicalQuantity, quantityFormatMessage } from "./canonical-quantity.js";
import { canonicalMicroTime, canonicalTime } from "./canonical-time.js";
import { DecodeError } from "./decode-error.js";
import { goQuote } from "./go-quote.js";
import type { SyntaxTree } from "./syntax-tree.js";

/** A value of the wrong type, before it is known where. */
export class TypeMismatch extends Error {
  readonly found: string;
  readonly type: string;
  readonly path: readonly string[];

  constructor(found: string, type: string, path: readonly string[] = []) {
    super(`${found} is no ${type}`);
    this.found = found;
    this.type = type;
    this.path = path;
  }
}

/** `numeric`: the wanted type is a number, so the letters of the one found are shown. */
export function mismatch(tree: SyntaxTree, type: string, numeric: boolean): TypeMismatch {
  return new TypeMismatch(tree.kind === "number" && numeric ? `number ${tree.text}` : tree.kind, type);
}

/** As Go reads a number into an untyped place: int64 if it has no point and fits, else float64. */
export function numberValue(text: string): number | bigint {
  const value = Number(text);
  if (Number.isSafeInteger(value) || !/^-?[0-9]+$/.test(text) || text.length > 20) return value;
  const exact = BigInt(text);
  return BigInt.asIntN(64, exact) === exact ? exact : value;
}

/** Go parses whatever letters stand there, quotes taken off. */
export function decodeQuantityTree(tree: SyntaxTree): string {
  const text = tree.kind === "string" || tree.kind === "number" ? canonicalQuantity(tree.text.trim()) : undefined;
  if (text === undefined) throw new DecodeError(quantityFormatMessage);
  return text;
}

export function decodeTimeTree(tree: SyntaxTree, code: number): string | null {
  if (tree.kind !== "string") throw mismatch(tree, "string", false);
  if (code === typeCodes.duration) {
    const duration = canonicalDuration(tree.text);
    if (duration === undefined) throw new DecodeError(`time: invalid duration ${goQuote(tree.text)}`);
    return duration;
  }
  const micro = code === typeCodes.microTime;
  const time = micro ? canonicalMicroTime(tree.text) : canonicalTime(tree.text);
  const layout = micro ? "2006-01-02T15:04:05.000000Z07:00" : "2006-01-02T15:04:05Z07:00";
  if (time === undefined) throw new DecodeError(`parsing time ${goQuote(tree.text)} as ${goQuote(layout)}: cannot parse ${goQuote(tree.text)} as "2006"`);
  return time;
}
