import { quoteGo } from "../field/index.js";
import { parseInt64 } from "./int64.js";

/** A port's number or name, a count or a percentage. Numbers are 32-bit integers. */
export type IntOrString = number | string;

/** A number where the text is one of 32 bits, else the text. */
export function parseIntOrString(text: string): IntOrString {
  const value = parseInt64(text);
  return typeof value === "number" && value === (value | 0) ? value | 0 : text;
}

/** The number, or that in the text; zero where the text holds none. */
export function intValue(value: IntOrString): number {
  return typeof value === "number" ? value : Number(parseInt64(value) ?? 0);
}

/** A value that cannot be scaled. The message is upstream's. */
export class IntOrStringError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "IntOrStringError";
  }
}

export interface Scale {
  readonly total: number;
  /** @default "down" */
  readonly round?: "up" | "down";
}

/**
 * A count as it is, a percentage of `total`.
 * @throws IntOrStringError for a text that is no percentage
 */
export function scaledValue(value: IntOrString | null | undefined, { total, round = "down" }: Scale): number {
  if (value === undefined || value === null) throw new IntOrStringError("nil value for IntOrString");
  if (typeof value === "number") return value;
  const share = (percentOf(value) * total) / 100;
  return (round === "up" ? Math.ceil(share) : Math.floor(share)) + 0;
}

function percentOf(text: string): number {
  if (!text.endsWith("%"))
    throw new IntOrStringError("invalid value for IntOrString: invalid type: string is not a percentage");
  const number = text.slice(0, -1);
  const value = parseInt64(number);
  if (value !== undefined) return Number(value);
  const why = /^[+-]?[0-9]+$/.test(number) ? "value out of range" : "invalid syntax";
  throw new IntOrStringError(
    `invalid value for IntOrString: invalid value ${quoteGo(text)}: strconv.Atoi: parsing ${quoteGo(number)}: ${why}`,
  );
}
