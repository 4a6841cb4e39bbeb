import { setOwn } from "../own/index.js";
import { quantityErrors, readQuantity } from "../quantity/index.js";
import { typeCodes } from "../schema/index.js";
import { parseDuration, parseMicroTime, parseTime } from "../time/index.js";
import { DecodeError } from "./decode-error.js";
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

/** YAML goes by way of JSON: integers above an int64 become floats, and floats that are written without a fraction become integers. */
export function withJsonNumbers(value: unknown): unknown {
  if (typeof value === "bigint") return numberValue(String(value));
  if (typeof value === "number")
    return Number.isSafeInteger(value) || !Number.isInteger(value) ? value : numberValue(String(value));
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) value[at] = withJsonNumbers(value[at]);
    return value;
  }
  for (const [name, member] of Object.entries(value)) {
    const read = withJsonNumbers(member);
    if (read !== member) setOwn(value as Record<string, unknown>, name, read);
  }
  return value;
}

/** Go parses whatever letters stand there, quotes taken off. */
export function decodeQuantityTree(tree: SyntaxTree): string {
  const read =
    tree.kind === "string" || tree.kind === "number" ? readQuantity(tree.text.trim()) : quantityErrors.format;
  if (typeof read === "string") throw new DecodeError(read);
  return read.toString();
}

/** Checks a time or duration. The walk rewrites it afterwards. */
export function decodeTimeTree(tree: SyntaxTree, code: number): string {
  if (tree.kind !== "string") throw mismatch(tree, "string", false);
  const parse = code === typeCodes.duration ? parseDuration : code === typeCodes.time ? parseTime : parseMicroTime;
  const { error } = parse(tree.text);
  if (error !== undefined) throw new DecodeError(error);
  return tree.text;
}
