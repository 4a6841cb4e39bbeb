import { createEnvironment } from "../environment/environment.js";
import { bindingsLibrary, optionalsLibrary, stringsLibrary, twoVariableComprehensions } from "../extensions/index.js";
import { ProgramError } from "../interpreter/fold-constants.js";
import { formatType } from "../types/format-type.js";
import { type Type } from "../types/type.js";
import { equal } from "../values/equal.js";
import { showValue } from "../values/show-value.js";
import { typeOf } from "../values/type-of.js";
import { Double, type Value } from "../values/value.js";
import { type ConformanceCase, readFunctions, readType, readValue } from "./case.js";

/** What is wrong with the answer to a case; undefined where it is as it should be. */
export function runCase(one: ConformanceCase): string | undefined {
  const variables = new Map<string, Type>();
  for (const { name, ident } of one.typeEnv ?? []) {
    if (ident !== undefined) variables.set(name, readType(ident.type));
  }
  const environment = createEnvironment({
    variables,
    container: one.container ?? "",
    optionalSyntax: true,
    escapedNames: true,
    libraries: [
      optionalsLibrary,
      bindingsLibrary,
      stringsLibrary(2),
      twoVariableComprehensions,
      { name: "declared", functions: readFunctions(one) },
    ],
  });
  const compiled = environment.compile(one.expr);
  if (!compiled.ok) return one.evalError === undefined ? compiled.message : undefined;
  const deduced = one.typedResult && formatType(readType(one.typedResult.deducedType));
  if (deduced !== undefined && deduced !== formatType(compiled.type))
    return `type ${formatType(compiled.type)}, not ${deduced}`;
  if (one.checkOnly === true) return undefined;
  const bindings = new Map<string, Value>();
  for (const [name, { value }] of Object.entries(one.bindings ?? {})) {
    const read = readValue(value);
    if (read === undefined) return `a message as ${name}`;
    bindings.set(name, read);
  }
  const result = evaluate(() => environment.program(compiled.checked).evaluate(bindings));
  if (one.evalError !== undefined) return result.ok ? `${showValue(result.value)}, not an error` : undefined;
  if (!result.ok) return result.error.message;
  const expected = one.typedResult?.result ?? one.value;
  const wanted: Value | undefined = expected === undefined ? true : readValue(expected);
  if (wanted === undefined) return "a message as result";
  return isSame(result.value, wanted)
    ? undefined
    : `${showValue(result.value)} (${typeOf(result.value).name}), not ${showValue(wanted)}`;
}

function evaluate<T>(run: () => T): T | { ok: false; error: { message: string } } {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    return { ok: false, error: error.cause };
  }
}

/** Equal, and of one type; not a number is what it is. */
function isSame(a: Value, b: Value): boolean {
  if (a instanceof Double && b instanceof Double) return Object.is(a.value, b.value) || a.value === b.value;
  return typeOf(a).name === typeOf(b).name && equal(a, b);
}
