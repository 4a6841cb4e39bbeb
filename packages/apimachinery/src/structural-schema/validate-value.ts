import { runAtOnce, type Steps } from "@coxswain/runtime/steps";
import type { FieldError, FieldPath } from "../field/index.js";
import { invalid, quoteGo } from "../field/index.js";
import { getOwn } from "../own/index.js";
import type { JsonObject } from "../patch/json-value.js";
import { compileRegexp, type Regexp, RegexpError } from "../regexp/index.js";
import { checkChoice } from "./check-choice.js";
import { checkNumber } from "./check-number.js";
import type { Correlation } from "./correlation.js";
import { type Fault, Findings, fieldErrorOf, mostFaults, wrongType } from "./findings.js";
import { isWhole, type JsonKind, jsonKind } from "./json-kind.js";
import { isTextFormat, matchesTextFormat } from "./text-formats.js";
import type { ValueSchema } from "./value-schema.js";

/** Whether a value is what its schema asks for, in upstream's words. Members are gone through by name, where upstream takes them in any order. */
export const validateValue = (value: unknown, schema: ValueSchema, path?: FieldPath): FieldError[] =>
  runAtOnce(validateValueInSteps(value, schema, path));

export function* validateValueInSteps(value: unknown, schema: ValueSchema, path?: FieldPath): Steps<FieldError[]> {
  return errorsOf(yield* check(value, schema, ""), path);
}

/** The same for a value that replaces another: what did not change may stay as wrong as it was. */
export function* validateChangeInSteps(
  correlation: Correlation,
  schema: ValueSchema,
  path?: FieldPath,
): Steps<FieldError[]> {
  return errorsOf(yield* check(correlation.value, schema, "", correlation), path);
}

function errorsOf(found: Findings, path: FieldPath | undefined): FieldError[] {
  const errors = found.faults.map((fault) => fieldErrorOf(fault, path));
  if (found.isFull) errors.push(invalid(path, "", `more than ${mostFaults} errors: the rest was not checked`));
  return errors;
}

/** What checking one value takes, without those inside it. */
const valueMicros = 1;

/** `name`: of the value in messages, "" for the whole. */
function* check(value: unknown, schema: ValueSchema, name: string, correlation?: Correlation): Steps<Findings> {
  const found = yield* checkAll(value, schema, name, correlation);
  return settled(found, correlation);
}

/** What did not change may stay as wrong as it was. */
const settled = (found: Findings, correlation: Correlation | undefined): Findings =>
  found.isGood || correlation?.isUnchanged !== true ? found : Findings.matched(found.matches);

/** Most values: nothing is inside them, and nothing but their own schema is asked. Checked without a generator. */
const isPlain = (value: unknown, { anyOf, oneOf, allOf, not }: ValueSchema): boolean =>
  (typeof value !== "object" || value === null) &&
  anyOf.length === 0 &&
  oneOf.length === 0 &&
  allOf.length === 0 &&
  not === undefined;

function* checkAll(
  value: unknown,
  schema: ValueSchema,
  name: string,
  correlation: Correlation | undefined,
): Steps<Findings> {
  if (value === null || value === undefined || isPlain(value, schema)) return checkPlain(value, schema, name);
  const found = new Findings();
  const kind = jsonKind(value);
  const take = (findings: Findings): void => {
    found.merge(findings);
    found.matches++;
  };
  if (schema.types.length > 0 || schema.format !== "") take(checkType(value, kind, schema, name));
  take(yield* checkJunctors(value, schema, name));
  if (kind === "string") takeText(value as string, schema, name, take);
  if (kind === "integer" || kind === "number") take(checkNumber(value as number | bigint, schema, name));
  if (kind === "array") take(yield* checkItems(value as readonly unknown[], schema, name, correlation));
  take(checkChoice(value, schema, name));
  if (kind === "object") take(yield* checkMembers(value as JsonObject, schema, name, correlation));
  found.matches++;
  yield valueMicros;
  return found;
}

/** A value that is no list and no object, by a schema without junctors, which count as one match. */
function checkPlain(value: unknown, schema: ValueSchema, name: string): Findings {
  const found = new Findings();
  if (value === null || value === undefined) {
    found.merge(checkNull(schema, name));
    found.merge(checkChoice(null, schema, name));
    return found;
  }
  const kind = jsonKind(value);
  const take = (findings: Findings): void => {
    found.merge(findings);
    found.matches++;
  };
  if (schema.types.length > 0 || schema.format !== "") take(checkType(value, kind, schema, name));
  take(Findings.matched(1));
  if (kind === "string") takeText(value as string, schema, name, take);
  if (kind === "integer" || kind === "number") take(checkNumber(value as number | bigint, schema, name));
  take(checkChoice(value, schema, name));
  found.matches++;
  return found;
}

function takeText(text: string, schema: ValueSchema, name: string, take: (findings: Findings) => void): void {
  take(checkText(text, schema, name));
  if (isTextFormat(schema.format)) take(checkFormat(text, schema.format, name));
}

const passed = (): Findings => Findings.matched(1);

const checkNull = ({ types, nullable }: ValueSchema, name: string): Findings =>
  types.length > 0 && !types.includes("null") && !nullable
    ? Findings.of(wrongType(name, types.join(","), "null"))
    : passed();

const formats: Partial<Record<JsonKind, string>> = { integer: "int64", number: "float64" };

function checkType(value: unknown, kind: JsonKind, { types, format }: ValueSchema, name: string): Findings {
  const isText = kind === "string" || kind === "array";
  const fits =
    types.includes(kind) ||
    (kind === "number" && types.includes("integer") && isWhole(value as number)) ||
    (kind === "integer" && types.includes("number"));
  const given = formats[kind] ?? "";
  if (!isText && format !== "" && !fits && given !== format) return Findings.of(wrongType(name, format, given));
  // A value with a string format need not have `type: string`.
  if (isText && format !== "" && !types.includes("number") && !types.includes("integer")) return passed();
  return fits ? passed() : Findings.of(wrongType(name, types.join(","), kind));
}

function* checkJunctors(value: unknown, { anyOf, oneOf, allOf, not }: ValueSchema, name: string): Steps<Findings> {
  const found = new Findings();
  const general = (words: string): Fault => ({ kind: "general", message: `${quoteGo(name)} ${words}` });
  if (anyOf.length > 0) {
    const tried = yield* tryAll(anyOf, value, name, (found) => found.isGood);
    const good = tried.find(({ isGood }) => isGood);
    if (!good) found.add(general("must validate at least one schema (anyOf)"));
    found.merge(good ?? likeliest(tried));
  }
  if (oneOf.length > 0) {
    const tried = yield* tryAll(oneOf, value, name);
    const good = tried.filter(({ isGood }) => isGood);
    if (good.length !== 1)
      found.add(
        general(
          `must validate one and only one schema (oneOf). ${good.length === 0 ? "Found none valid" : `Found ${good.length} valid alternatives`}`,
        ),
      );
    if (good.length <= 1) found.merge(good[0] ?? likeliest(tried));
  }
  if (allOf.length > 0) {
    const tried = yield* tryAll(allOf, value, name);
    for (const one of tried) found.merge(one);
    if (!tried.every(({ isGood }) => isGood))
      found.add(
        general(`must validate all the schemas (allOf)${tried.some(({ isGood }) => isGood) ? "" : ". None validated"}`),
      );
  }
  if (not && (yield* check(value, not, name)).isGood) found.add(general("must not validate the schema (not)"));
  found.matches++;
  return found;
}

/** The findings by each schema, up to the first that is enough. */
function* tryAll(
  schemas: readonly ValueSchema[],
  value: unknown,
  name: string,
  isEnough: (found: Findings) => boolean = () => false,
): Steps<Findings[]> {
  const tried: Findings[] = [];
  for (const schema of schemas) {
    const found = yield* check(value, schema, name);
    yield valueMicros;
    tried.push(found);
    if (isEnough(found)) break;
  }
  return tried;
}

const likeliest = (tried: readonly Findings[]): Findings =>
  tried.reduce((best, one) => (one.matches > best.matches ? one : best));

/** Only the first error of a text is reported. Lengths count characters. */
function checkText(text: string, { maxLength, minLength, pattern }: ValueSchema, name: string): Findings {
  const length = maxLength === undefined && minLength === undefined ? 0 : [...text].length;
  if (maxLength !== undefined && length > maxLength)
    return Findings.of({
      kind: "long",
      name,
      most: maxLength,
      message: `${name} in body should be at most ${maxLength} chars long`,
    });
  if (minLength !== undefined && length < minLength)
    return Findings.of({
      kind: "invalid",
      name,
      value: text,
      message: `${name} in body should be at least ${minLength} chars long`,
    });
  const problem = pattern === "" ? undefined : patternProblem(text, pattern);
  return problem === undefined
    ? new Findings()
    : Findings.of({ kind: "invalid", name, value: text, message: `${name} in body should match '${problem}'` });
}

/** By the pattern, so that equal ones of many schemas are compiled once. */
const compiled = new Map<string, Regexp>();
const mostCompiled = 1_000;

function patternProblem(text: string, pattern: string): string | undefined {
  try {
    const regexp = compiled.get(pattern) ?? compileRegexp(pattern);
    if (compiled.size >= mostCompiled) compiled.clear();
    compiled.set(pattern, regexp);
    return regexp.test(text) ? undefined : pattern;
  } catch (err) {
    if (err instanceof RegexpError) return `${pattern}, but pattern is invalid: ${err.message}`;
    throw err;
  }
}

const checkFormat = (text: string, format: string, name: string): Findings =>
  matchesTextFormat(text, format) ? new Findings() : Findings.of(wrongType(name, format, text));

function* checkItems(
  list: readonly unknown[],
  { items, minItems, maxItems }: ValueSchema,
  name: string,
  correlation: Correlation | undefined,
): Steps<Findings> {
  const found = new Findings();
  if (items) {
    for (let index = 0; index < list.length && !found.isFull; index++) {
      const [item, inner, old] = [list[index], `${name}[${index}]`, correlation?.index(index)];
      if (isPlain(item, items)) found.merge(settled(checkPlain(item, items, inner), old));
      else found.merge(yield* check(item, items, inner, old));
      yield valueMicros;
    }
  }
  const count = list.length;
  if (minItems !== undefined && count < minItems)
    found.add({
      kind: "invalid",
      name,
      value: count,
      message: `${name} in body should have at least ${minItems} items`,
    });
  if (maxItems !== undefined && count > maxItems)
    found.add({
      kind: "many",
      name,
      count,
      most: maxItems,
      message: `${name} in body should have at most ${maxItems} items`,
    });
  found.matches++;
  return found;
}

function* checkMembers(
  object: JsonObject,
  { properties, additionalProperties, required, minProperties, maxProperties }: ValueSchema,
  name: string,
  correlation: Correlation | undefined,
): Steps<Findings> {
  const found = new Findings();
  const members = Object.keys(object);
  const count = members.length;
  // Kind and version of the whole never changed visibly: both objects were converted to the same.
  const below = (member: string): Correlation | undefined =>
    name === "" && (member === "kind" || member === "apiVersion") ? undefined : correlation?.key(member);
  function* checkMember(member: string, schema: ValueSchema, inner: string): Steps<void> {
    const value = getOwn<unknown>(object, member);
    const old = below(member);
    if (isPlain(value, schema)) found.merge(settled(checkPlain(value, schema, inner), old));
    else found.merge(yield* check(value, schema, inner, old));
    yield valueMicros;
  }
  if (minProperties !== undefined && count < minProperties)
    found.add({
      kind: "invalid",
      name,
      value: count,
      message: `${name} in body should have at least ${minProperties} properties`,
    });
  if (maxProperties !== undefined && count > maxProperties)
    found.add({
      kind: "many",
      name,
      count,
      most: maxProperties,
      message: `${name} in body should have at most ${maxProperties} properties`,
    });
  for (const member of members) {
    if (properties.has(member)) continue;
    if (additionalProperties === false)
      found.add({ kind: "invalid", name, value: member, message: `${name}.${member} in body is a forbidden property` });
    else if (typeof additionalProperties === "object")
      yield* checkMember(member, additionalProperties, `${name}.${member}`);
    if (found.isFull) return found;
  }
  for (const [member, schema] of presentProperties(members, object, properties))
    yield* checkMember(member, schema, name === "" ? member : `${name}.${member}`);
  for (const member of required)
    if (!Object.hasOwn(object, member) && !found.isFull)
      found.add({ kind: "required", name: `${name}.${member}`, message: `${name}.${member} in body is required` });
  return found;
}

const positions = new WeakMap<ValueSchema["properties"], Map<string, number>>();

/**
 * The properties that an object has, in the schema's order. An object with few members is not searched for each of a schema's
 * thousands of properties: a list of a hundred thousand such objects would take minutes.
 */
function presentProperties(
  members: readonly string[],
  object: JsonObject,
  properties: ValueSchema["properties"],
): [name: string, schema: ValueSchema][] {
  if (properties.size <= 2 * members.length) return [...properties].filter(([name]) => Object.hasOwn(object, name));
  let order = positions.get(properties);
  if (!order) positions.set(properties, (order = new Map([...properties.keys()].map((name, at) => [name, at]))));
  const place = (name: string): number => order.get(name) ?? 0;
  return members
    .filter((name) => properties.has(name))
    .sort((a, b) => place(a) - place(b))
    .map((name) => [name, properties.get(name) as ValueSchema]);
}
