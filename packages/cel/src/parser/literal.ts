import { intOf, maxUint } from "../values/int.js";
import { Double, Uint, type Value } from "../values/value.js";
import type { Token } from "./token.js";
import { unescapeBytes, unescapeString } from "./unescape.js";

/** What a token is worth. With an error there may be no value. */
export interface Literal {
  readonly value?: Value | undefined;
  readonly error?: string | undefined;
}

/** The value of a literal; undefined for a token that is none. @param sign "-" or nothing, before a number */
export function literalOf({ kind, text }: Token, sign: string): Literal | undefined {
  switch (kind) {
    case "true":
      return { value: true };
    case "false":
      return { value: false };
    case "null":
      return { value: null };
    case "NUM_INT": {
      const value = intOf(BigInt(text) * (sign === "" ? 1n : -1n));
      return value === undefined ? { error: "invalid int literal" } : { value };
    }
    case "NUM_UINT": {
      const value = BigInt(text.slice(0, -1));
      return value > maxUint ? { error: "invalid uint literal" } : { value: new Uint(value) };
    }
    case "NUM_FLOAT": {
      const value = Number(`${sign}${text}`);
      return Number.isFinite(value) ? { value: new Double(value) } : { error: "invalid double literal" };
    }
    case "STRING": {
      const { value, error } = unescapeString(text);
      return { value: value ?? text, error };
    }
    case "BYTES": {
      const { value, error } = unescapeBytes(text.slice(1));
      return { value: value ?? new Uint8Array(), error };
    }
    default:
      return undefined;
  }
}
