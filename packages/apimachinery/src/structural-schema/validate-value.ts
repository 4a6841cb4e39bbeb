import type { FieldError, FieldPath } from "../field/index.js";
import { quoteGo } from "../field/index.js";
import { getOwn } from "../own/index.js";
import type { JsonObject } from "../patch/json-value.js";
import { compileRegexp, type Regexp, RegexpError } from "../regexp/index.js";
import { checkChoice } from "./check-choice.js";
import { checkNumber } from "./check-number.js";
import type { Correlation } from "./correlation.js";
import { type Fault, fieldErrorOf, Findings, wrongType } from "./findings.js";
import { isWhole, jsonKind, type JsonKind } from "./json-kind.js";
import { isTextFormat, matchesTextFormat } from "./text-formats.js";
import type { ValueSchema } from "./value-schema.js";

/** Whether a value is what its schema asks for, in upstream's words. Members are gone through by name, where upstream takes them in any order. */
export function validateValue(value: unknown, schema: ValueSchema, path?: FieldPath): FieldError[] {
  return check(value, schema, "").faults.map((fault) => fieldErrorOf(fault, path));
}

/** The same for a value that replaces another: what did not change may stay as wrong as it was. */
export function validateChange(correlation: Correlation, schema: ValueSchema, path?: FieldPath): FieldError[] {
  return check(correlation.value, schema, "", correlation).faults.map((fault) => fieldErrorOf(fault, path));
}

/** `name`: of the value in messages, "" for the whole. */
function check(value: unknown, schema: ValueSchema, name: string, correlation?: Correlation): Findings {
  const found = checkAll(value, schema, name, correlation);
  return found.isGood || correlation?.isUnchanged !== true ? found : Findings.matched(found.matches);
}

function checkAll(value: unknown, schema: ValueSchema, name: string, correlation: Correlation | undefined): Findings {
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
  take(checkJunctors(value, schema, name));
  if (kind === "string") {
    take(checkText(value as string, schema, name));
    if (isTextFormat(schema.format)) take(checkFormat(value as string, schema.format, name));
  }
  if (kind === "integer" || kind === "number") take(checkNumber(value as number | bigint, schema, name));
  if (kind === "array") take(checkItems(value as readonly unknown[], schema, name, correlation));
  take(checkChoice(value, schema, name));
  if (kind === "object") take(checkMembers(value as JsonObject, schema, name, correlation));
  found.matches++;
  return found;
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

function checkJunctors(value: unknown, { anyOf, oneOf, allOf, not }: ValueSchema, name: string): Findings {
  const found = new Findings();
  const general = (words: string): Fault => ({ kind: "general", message: `${quoteGo(name)} ${words}` });
  if (anyOf.length > 0) {
    const tried = tryUntil(anyOf, value, name);
    const good = tried.find(({ isGood }) => isGood);
    if (!good) found.add(general("must validate at least one schema (anyOf)"));
    found.merge(good ?? likeliest(tried));
  }
  if (oneOf.length > 0) {
    const tried = oneOf.map((schema) => check(value, schema, name));
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
    const tried = allOf.map((schema) => check(value, schema, name));
    for (const one of tried) found.merge(one);
    if (!tried.every(({ isGood }) => isGood))
      found.add(
        general(`must validate all the schemas (allOf)${tried.some(({ isGood }) => isGood) ? "" : ". None validated"}`),
      );
  }
  if (not && check(value, not, name).isGood) found.add(general("must not validate the schema (not)"));
  found.matches++;
  return found;
}

/** The findings by each schema, up to the first that is content. */
function tryUntil(schemas: readonly ValueSchema[], value: unknown, name: string): Findings[] {
  const tried: Findings[] = [];
  for (const schema of schemas) {
    const found = check(value, schema, name);
    tried.push(found);
    if (found.isGood) break;
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

function checkItems(
  list: readonly unknown[],
  { items, minItems, maxItems }: ValueSchema,
  name: string,
  correlation: Correlation | undefined,
): Findings {
  const found = new Findings();
  if (items)
    list.forEach((item, index) => found.merge(check(item, items, `${name}[${index}]`, correlation?.index(index))));
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

function checkMembers(
  object: JsonObject,
  { properties, additionalProperties, required, minProperties, maxProperties }: ValueSchema,
  name: string,
  correlation: Correlation | undefined,
): Findings {
  const found = new Findings();
  const members = Object.keys(object);
  const count = members.length;
  // Kind and version of the whole never changed visibly: both objects were converted to the same.
  const below = (member: string): Correlation | undefined =>
    name === "" && (member === "kind" || member === "apiVersion") ? undefined : correlation?.key(member);
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
      found.merge(check(getOwn<unknown>(object, member), additionalProperties, `${name}.${member}`, below(member)));
  }
  for (const [member, schema] of properties) {
    if (Object.hasOwn(object, member))
      found.merge(
        check(getOwn<unknown>(object, member), schema, name === "" ? member : `${name}.${member}`, below(member)),
      );
  }
  for (const member of required)
    if (!Object.hasOwn(object, member))
      found.add({ kind: "required", name: `${name}.${member}`, message: `${name}.${member} in body is required` });
  return found;
}
