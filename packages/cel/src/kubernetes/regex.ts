import { compileRegexp, type Regexp, RegexpError } from "@coxswain/apimachinery/regexp";
import { type FunctionDeclaration, type Overload } from "../declarations/function-declaration.js";
import { type Library } from "../library/library.js";
import { intType, listType, stringType, type Type } from "../types/type.js";
import { ArrayList } from "../values/list-value.js";
import { CelError, type Value } from "../values/value.js";
import { searchesText } from "./text-costs.js";

type Find = (regexp: Regexp, text: string, limit: Value | undefined) => Value;

const find: Find = (regexp, text) => regexp.find(text)?.text ?? "";

const findAll: Find = (regexp, text, limit) => {
  const most = limit === undefined || (limit as number | bigint) < 0 ? Number.POSITIVE_INFINITY : Number(limit);
  return new ArrayList(regexp.findAll(text, most).map((match) => match.text));
};

function compile(pattern: string): Regexp | string {
  try {
    return compileRegexp(pattern);
  } catch (error) {
    if (error instanceof RegexpError) return error.message;
    throw error;
  }
}

function overload(id: string, find: Find, result: Type, more: readonly Type[] = []): Overload {
  return {
    id,
    args: [stringType, stringType, ...more],
    result,
    isMember: true,
    implementation(text, pattern, limit) {
      const regexp = compile(pattern as string);
      return typeof regexp === "string"
        ? new CelError(`Illegal regex: ${regexp}`)
        : find(regexp, text as string, limit);
    },
    /** A constant pattern is compiled once, and fails before evaluation. */
    prepare([, pattern]) {
      if (typeof pattern !== "string") return undefined;
      const regexp = compile(pattern);
      if (typeof regexp === "string") return new CelError(regexp);
      return (text, _pattern, limit) => find(regexp, text as string, limit);
    },
  };
}

const functions: readonly FunctionDeclaration[] = [
  { name: "find", overloads: [overload("string_find_string", find, stringType)], ...searchesText },
  {
    name: "findAll",
    overloads: [
      overload("string_find_all_string", findAll, listType(stringType)),
      overload("string_find_all_string_int", findAll, listType(stringType), [intType]),
    ],
    ...searchesText,
  },
];

/** `find` and `findAll`; there from the beginning. */
export const regexLibrary: Library = { name: "kubernetes.regex", functions };
