import { goJson } from "../field/index.js";
import { equalJson } from "../json/equal.js";
import { Findings } from "./findings.js";
import { jsonKind } from "./json-kind.js";
import type { ValueSchema } from "./value-schema.js";

/** Whether the value is one of `enum`. Null never is. */
export function checkChoice(value: unknown, { enum: choices }: ValueSchema, name: string): Findings {
  if (choices.length === 0 || (value !== null && choices.some((choice) => choice !== null && isSame(value, choice))))
    return new Findings();
  return Findings.of({
    kind: "choice",
    name,
    value,
    choices,
    message: `${name} in body should be one of ${goJson(choices)}`,
  });
}

/** Upstream makes the value what the choice is, as Go converts: 1.5 becomes 1, and 65 "A". */
function isSame(value: unknown, choice: unknown): boolean {
  const [given, wanted] = [jsonKind(value), jsonKind(choice)];
  if (given === wanted) return equalJson(value, choice);
  if (given === "number" && wanted === "integer") return Math.trunc(value as number) === Number(choice);
  if (given === "integer" && wanted === "number") return Number(value) === choice;
  return given === "integer" && wanted === "string" && runeText(Number(value)) === choice;
}

const runeText = (code: number): string =>
  code >= 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : "\ufffd";
