import { DecodeError } from "../json/index.js";

const words = new Map<string, { tag: string; value: boolean | null | number }>();
for (const text of ["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"])
  words.set(text, { tag: "!!bool", value: true });
for (const text of ["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"])
  words.set(text, { tag: "!!bool", value: false });
for (const text of ["", "~", "null", "Null", "NULL"]) words.set(text, { tag: "!!null", value: null });
for (const text of [".nan", ".NaN", ".NAN"]) words.set(text, { tag: "!!float", value: Number.NaN });
for (const text of [".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"])
  words.set(text, { tag: "!!float", value: Number.POSITIVE_INFINITY });
for (const text of ["-.inf", "-.Inf", "-.INF"]) words.set(text, { tag: "!!float", value: Number.NEGATIVE_INFINITY });

const float = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const integer = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/;
const most = { signed: 2n ** 63n - 1n, unsigned: 2n ** 64n - 1n };

export type YamlScalar = string | boolean | null | number | bigint;

/** The type and value of a plain scalar, or of one with a tag of the YAML core. YAML 1.1 without base 60, as go-yaml v2 reads it. */
export function resolveScalar(text: string, tag: string): { tag: string; value: YamlScalar } {
  if (tag === "!!str" || !resolvable.has(tag)) return { tag: tag === "" ? "!!str" : tag, value: text };
  const resolved = resolvePlain(text);
  if (tag === "" || tag === resolved.tag || tag === "!!timestamp") return resolved;
  if (tag === "!!float" && resolved.tag === "!!int") return { tag, value: Number(resolved.value) };
  throw new DecodeError(`yaml: cannot decode ${resolved.tag} \`${text}\` as a ${tag}`);
}

const resolvable = new Set(["", "!!bool", "!!int", "!!float", "!!null", "!!timestamp"]);

function resolvePlain(text: string): { tag: string; value: YamlScalar } {
  const word = words.get(text);
  if (word) return word;
  const first = text.charCodeAt(0);
  if (first === 0x2e)
    return float.test(text) && Number.isFinite(Number(text))
      ? { tag: "!!float", value: Number(text) }
      : { tag: "!!str", value: text };
  if (first !== 0x2b && first !== 0x2d && (first < 0x30 || first > 0x39)) return { tag: "!!str", value: text };
  const digits = text.includes("_") ? text.replaceAll("_", "") : text;
  const whole = parseInteger(digits);
  if (whole !== undefined) return { tag: "!!int", value: whole };
  const value = float.test(digits) ? Number(digits) : Number.NaN;
  return Number.isFinite(value) ? { tag: "!!float", value } : { tag: "!!str", value: text };
}

/** What fits an int64, or without a sign a uint64. */
function parseInteger(text: string): number | bigint | undefined {
  const match = text.length > 80 ? null : integer.exec(text);
  if (!match) return undefined;
  const [, sign, hex, binary, octal, decimal] = match;
  const digits =
    hex === undefined
      ? binary === undefined
        ? octal === undefined
          ? (decimal as string)
          : `0o${octal}`
        : `0b${binary}`
      : `0x${hex}`;
  const magnitude = BigInt(digits);
  const value = sign === "-" ? -magnitude : magnitude;
  if (value < -most.signed - 1n || value > (sign === "" ? most.unsigned : most.signed)) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
