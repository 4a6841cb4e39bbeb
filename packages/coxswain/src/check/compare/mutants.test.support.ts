import { createSeededRandom } from "@coxswain/runtime/random";

type Json = null | boolean | number | bigint | string | readonly Json[] | { readonly [name: string]: Json };
type Path = readonly (string | number)[];
export type JsonObject = { readonly [name: string]: Json };

export interface Mutant {
  /** `spec.replicas is -1` */
  readonly sentence: string;
  readonly object: JsonObject;
}

/** What the server looks an object up by, or writes itself. */
const left = new Set(["apiVersion", "kind", "metadata", "metadata.namespace", "metadata.managedFields", "status"]);
const values: readonly Json[] = [
  null,
  "",
  "Bogus_1",
  "-x",
  "a/b",
  "1.2.3.4",
  " x",
  "é",
  "a".repeat(64),
  "a".repeat(260),
  "10s",
  "1Gi",
  true,
  -1,
  0,
  7,
  1.5,
  70_000,
  3_000_000_000,
  [],
  {},
  ["x"],
  { x: "y" },
];

/** Pure: copies of the objects with one odd member each, as the seed decides. */
export function mutantsOf(objects: readonly JsonObject[], count: number, seed: number): Mutant[] {
  const random = createSeededRandom(seed);
  const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random.next() * list.length)] as T;
  return Array.from({ length: objects.length === 0 ? 0 : count }, (_, index) => {
    const base = oneOf(objects);
    const path = oneOf(pathsOf(base, []));
    const object = withName(base, `-m${index}`);
    const roll = random.next();
    if (roll < 0.15) return mutant(object, path, undefined, "is gone");
    if (roll < 0.3) return mutant(object, [...parentOf(object, path), "bogus"], "x", "is there, which nobody knows");
    const value = oneOf(values);
    const shown = JSON.stringify(value);
    return mutant(object, path, value, `is ${shown.length > 40 ? `${shown.slice(0, 30)}… (${shown.length})` : shown}`);
  });
}

const mutant = (object: JsonObject, path: Path, value: Json | undefined, what: string): Mutant => ({
  sentence: `${path.join(".")} ${what}`,
  object: replaced(object, path, value) as JsonObject,
});

const isMembers = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Every member and item that may be changed. */
function pathsOf(value: Json, path: Path): Path[] {
  const inner: [string | number, Json][] = Array.isArray(value)
    ? (value as readonly Json[]).slice(0, 3).map((item, index) => [index, item])
    : isMembers(value)
      ? Object.entries(value)
      : [];
  return inner.flatMap(([name, member]) => {
    const own = [...path, name];
    if (own.join(".") === "status" || own.join(".") === "metadata.managedFields") return [];
    return [...(left.has(own.join(".")) ? [] : [own]), ...pathsOf(member, own)];
  });
}

/** The closest object around what a path names. */
function parentOf(object: JsonObject, path: Path): Path {
  for (let length = path.length - 1; length > 0; length--) {
    const parent = path.slice(0, length);
    if (isMembers(valueAt(object, parent))) return parent;
  }
  return [];
}

const valueAt = (value: Json, path: Path): Json | undefined =>
  path.reduce<Json | undefined>(
    (at, step) => (at === undefined || at === null ? undefined : (at as Record<string | number, Json>)[step]),
    value,
  );

function replaced(value: Json, [step, ...rest]: Path, to: Json | undefined): Json {
  if (step === undefined) return value;
  if (Array.isArray(value))
    return (value as readonly Json[]).flatMap((item, index) =>
      index !== step ? [item] : rest.length > 0 ? [replaced(item, rest, to)] : to === undefined ? [] : [to],
    );
  const members = value as JsonObject;
  if (rest.length > 0) return { ...members, [step]: replaced(members[step] ?? {}, rest, to) };
  const { [step]: _, ...others } = members;
  return to === undefined ? others : { ...members, [step]: to };
}

/** Names are unique in what is checked. */
function withName(object: JsonObject, ending: string): JsonObject {
  const metadata = object["metadata"] as JsonObject;
  const name = metadata["name"];
  return typeof name === "string" ? { ...object, metadata: { ...metadata, name: `${name}${ending}` } } : object;
}
