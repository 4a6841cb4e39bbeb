import type { Steps } from "@coxswain/runtime/steps";
import { append } from "../append/index.js";
import { goFloat } from "../field/index.js";
import { getOwn } from "../own/index.js";
import { goText } from "../patch/go-text.js";
import { isList, isObject } from "../patch/json-value.js";
import { compareUtf8 } from "../text/utf8-order.js";
import { type Atom, kindOf, type ListAtom, type MapAtom, type Scalar } from "./atom.js";
import { elementsPerStep, stepMicros } from "./element-steps.js";
import { itemElement } from "./list-item.js";
import { elementText, type PathElement } from "./path-element.js";
import { TypeMismatch } from "./type-mismatch.js";

/** Where an object does not fit its type, in upstream's words; undefined if it does. */
export function* findMismatchInSteps(
  object: unknown,
  atom: Atom,
  { duplicates = false }: { duplicates?: boolean } = {},
): Steps<string | undefined> {
  const errors = yield* check(object, atom, { path: () => "", duplicates });
  if (errors.length === 0) return undefined;
  return errors.length === 1 ? errors[0] : ["errors:", ...errors.map((error) => `  ${error}`)].join("\n");
}

interface Place {
  /** Written only where something is wrong: of a list with 100,000 items there are as many. */
  readonly path: () => string;
  /** Whether items of associative lists may occur twice. */
  readonly duplicates: boolean;
}

function at(place: Place, message: string): string {
  const path = place.path();
  return path === "" ? message : `${path}: ${message}`;
}

function* check(value: unknown, atom: Atom, place: Place): Steps<string[]> {
  const kind = kindOf(value, atom);
  if (value === null || value === undefined) return [];
  if (kind === "map" && atom.map) {
    return isObject(value)
      ? yield* checkMembers(value, atom.map, place)
      : [at(place, `expected map, got &{${goText(value, goFloat)}}`)];
  }
  if (kind === "list" && atom.list) {
    return isList(value)
      ? yield* checkItems(value, atom.list, place)
      : [at(place, `expected list, got &{${goText(value, goFloat)}}`)];
  }
  return checkScalar(value, atom, place);
}

function checkScalar(value: unknown, atom: Atom, place: Place): string[] {
  const fault = atom.scalar && scalarFault(value, atom.scalar);
  return fault === undefined ? none : [at(place, fault)];
}

const none: string[] = [];

/** A value that fits a type which is no list and no object, as most values are: looked at without a generator. */
const fitsScalar = (value: unknown, { scalar, list, map }: Atom): boolean =>
  list === undefined &&
  map === undefined &&
  (typeof value !== "object" || value === null) &&
  (value === null || value === undefined || scalar === undefined || scalarFault(value, scalar) === undefined);

function* checkMembers(value: object, map: MapAtom, { path, duplicates }: Place): Steps<string[]> {
  const errors: string[] = [];
  let seen = 0;
  for (const name in value) {
    if (++seen % elementsPerStep === 0) yield stepMicros;
    const inner = { path: () => `${path()}.${name}`, duplicates };
    const atom = map.atomOf(name);
    if (atom === undefined) return [...errors, at(inner, "field not declared in schema")];
    const member = getOwn<unknown>(value as Record<string, unknown>, name);
    if (fitsScalar(member, atom)) continue;
    const found = yield* check(member, atom, inner);
    if (found.length > 0) append(errors, found);
  }
  yield seen % elementsPerStep;
  return errors;
}

function* checkItems(items: readonly unknown[], list: ListAtom, place: Place): Steps<string[]> {
  const errors: string[] = [];
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    if ((index + 1) % elementsPerStep === 0) yield stepMicros;
    let element: PathElement = `i:${index}`;
    if (list.associative) {
      try {
        element = itemElement(item, list);
      } catch (error) {
        if (!(error instanceof TypeMismatch)) throw error;
        return [...errors, at(place, `element ${index}: ${error.message}`)];
      }
      if (seen.has(element) && !place.duplicates)
        errors.push(at(place, `duplicate entries for key ${elementText(element)}`));
      seen.add(element);
    }
    if (fitsScalar(item, list.element)) continue;
    const path = (): string => place.path() + elementText(element);
    const found = yield* check(item, list.element, { path, duplicates: place.duplicates });
    if (found.length > 0) append(errors, found);
  }
  yield items.length % elementsPerStep;
  return errors;
}

function scalarFault(value: unknown, scalar: Scalar): string | undefined {
  const type = typeof value;
  if (scalar === "string")
    return type === "string" ? undefined : `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
  if (scalar === "numeric")
    return type === "number" || type === "bigint"
      ? undefined
      : `expected numeric (int or float), got ${goTypeOf(value)}`;
  if (scalar === "boolean")
    return type === "boolean" ? undefined : `expected boolean, got &{${goText(value, goFloat)}}`;
  return type === "object" ? `expected any scalar, got &{${goText(value, goFloat)}}` : undefined;
}

const goTypeOf = (value: unknown): string =>
  isList(value)
    ? "[]interface {}"
    : isObject(value)
      ? "map[string]interface {}"
      : typeof value === "boolean"
        ? "bool"
        : typeof value;

/** Go's %#v. */
function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return "interface {}(nil)";
  if (typeof value === "string") return JSON.stringify(value);
  if (isList(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (!isObject(value)) return goText(value, goFloat);
  const names = Object.keys(value).sort(compareUtf8);
  return `map[string]interface {}{${names.map((name) => `${JSON.stringify(name)}:${goSyntax(getOwn<unknown>(value, name))}`).join(", ")}}`;
}
