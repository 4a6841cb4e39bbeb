import { compileRegexp, type Regexp, RegexpError } from "@coxswain/apimachinery/regexp";
import { type FunctionDeclaration, type Overload } from "../declarations/function-declaration.js";
import { boolType, bytesType, intType, listType, mapType, stringType, type Type, typeParam } from "../types/type.js";
import { sizeOf } from "../values/type-of.js";
import { CelError, ListValue, MapValue, type Value } from "../values/value.js";

const predicate = (name: string, id: string, test: (text: string, part: string) => boolean): FunctionDeclaration => ({
  name,
  overloads: [{ id, args: [stringType, stringType], result: boolType, isMember: true }],
  implementation: (text, part) =>
    typeof text === "string" && typeof part === "string" ? test(text, part) : new CelError("no such overload"),
});

/** RE2: time is linear in the text whatever the pattern. */
function compilePattern(pattern: string): Regexp | CelError {
  try {
    return compileRegexp(pattern);
  } catch (error) {
    if (error instanceof RegexpError) return new CelError(error.message);
    throw error;
  }
}

function matches(text: Value | undefined, pattern: Value | undefined): Value {
  if (typeof text !== "string") return new CelError("no such overload: matches");
  if (typeof pattern !== "string") return new CelError("no such overload");
  const compiled = compilePattern(pattern);
  return compiled instanceof CelError ? compiled : compiled.test(text);
}

/** A constant pattern is compiled once. */
function prepareMatches([, pattern]: readonly (Value | undefined)[]): ReturnType<NonNullable<Overload["prepare"]>> {
  if (typeof pattern !== "string") return undefined;
  const compiled = compilePattern(pattern);
  if (compiled instanceof CelError) return compiled;
  return (text) => (typeof text === "string" ? compiled.test(text) : new CelError("no such overload"));
}

const matching = (id: string, isMember: boolean): Overload => ({
  id,
  args: [stringType, stringType],
  result: boolType,
  isMember,
  prepare: prepareMatches,
});

const sized: readonly (readonly [string, Type])[] = [
  ["bytes", bytesType],
  ["list", listType(typeParam("A"))],
  ["map", mapType(typeParam("A"), typeParam("B"))],
  ["string", stringType],
];

const hasSize = (value: Value | undefined): value is Value =>
  typeof value === "string" || value instanceof Uint8Array || value instanceof ListValue || value instanceof MapValue;

export const stringFunctions: readonly FunctionDeclaration[] = [
  {
    name: "size",
    overloads: sized.flatMap(([name, type]): Overload[] => [
      { id: `size_${name}`, args: [type], result: intType },
      { id: `${name}_size`, args: [type], result: intType, isMember: true },
    ]),
    implementation: (value) => (hasSize(value) ? sizeOf(value) : new CelError("no such overload: size")),
  },
  predicate("contains", "contains_string", (text, part) => text.includes(part)),
  predicate("endsWith", "ends_with_string", (text, part) => text.endsWith(part)),
  predicate("startsWith", "starts_with_string", (text, part) => text.startsWith(part)),
  {
    name: "matches",
    overloads: [matching("matches", false), matching("matches_string", true)],
    implementation: matches,
  },
];
