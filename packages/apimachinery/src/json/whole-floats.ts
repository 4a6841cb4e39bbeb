import { getOwn } from "../own/index.js";
import { scanJson } from "./scan.js";
import { parseSyntaxTree, type SyntaxTree } from "./syntax-tree.js";

/** Where a value stands: names of members and positions of items. */
type Place = readonly (string | number)[];

/**
 * Where an object was sent with `5.0` or `5e0`. Go holds such a number as a float as long as the request lasts, so that it is not
 * equal to the `5` that is stored of it. A copy made by spreading or `cloneJson` keeps the note; it is never written to a store or a client.
 */
const wholeFloats: unique symbol = Symbol.for("coxswain.wholeFloats") as never;

interface Noted {
  [wholeFloats]?: readonly Place[];
}

/** From here on Go writes an exponent, and reads a float again. */
const leastWithExponent = 1e21;

/** The places in a JSON text. Throws DecodeError. */
export function wholeFloatsIn(bytes: Uint8Array): Place[] {
  if (scanJson(bytes).fractions === 0) return []; // the parser below is slow
  const places: Place[] = [];
  collect(parseSyntaxTree(bytes), [], places);
  return places;
}

function collect(tree: SyntaxTree, place: Place, places: Place[]): void {
  if (tree.kind === "object") for (const { name, value } of tree.members) collect(value, [...place, name], places);
  if (tree.kind === "array") for (const [at, item] of tree.items.entries()) collect(item, [...place, at], places);
  if (tree.kind !== "number" || !/[.eE]/.test(tree.text)) return;
  const value = Number(tree.text);
  if (Number.isInteger(value) && Math.abs(value) < leastWithExponent) places.push(place);
}

export function noteWholeFloats(object: object, places: readonly Place[]): void {
  if (places.length > 0) (object as Noted)[wholeFloats] = places;
}

export function copyWholeFloats(from: Noted, to: object): void {
  const places = from[wholeFloats];
  if (places !== undefined) noteWholeFloats(to, places);
}

/** Whether such a number is in the object, outside of these members. */
export const hasWholeFloats = (object: object, except: readonly string[]): boolean =>
  ((object as Noted)[wholeFloats] ?? []).some(
    (place) => !except.includes(String(place[0])) && typeof valueAt(object, place) === "number",
  );

const valueAt = (object: object, place: Place): unknown =>
  place.reduce<unknown>(
    (value, step) =>
      typeof value === "object" && value !== null
        ? getOwn<unknown>(value as Record<string, unknown>, String(step))
        : undefined,
    object,
  );
