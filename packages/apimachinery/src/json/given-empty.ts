import { getOwn } from "../own/index.js";

/**
 * Members that were given as an empty list or map and are left out of the canonical form, by name. Go distinguishes them from those
 * that were not given at all, and prints them so in messages. A copy made by spreading or `cloneJson` keeps the note; it is
 * never written to a store or a client.
 */
export const givenEmpty: unique symbol = Symbol.for("coxswain.givenEmpty") as never;

interface Noted {
  [givenEmpty]?: readonly string[];
}

export const noteGivenEmpty = (object: object, names: readonly string[]): void => {
  (object as Noted)[givenEmpty] = names;
};

export const givenEmptyOf = (object: object): readonly string[] | undefined => (object as Noted)[givenEmpty];

/** Whether the client sent `name` as an empty list or map. */
export const wasGivenEmpty = (object: object | undefined | null, name: string): boolean =>
  (object as Noted | undefined | null)?.[givenEmpty]?.includes(name) ?? false;

/** Takes a member away, and the memory that it was given as empty. */
export function forgetMember(object: Record<string, unknown>, name: string): void {
  delete object[name];
  const empty = givenEmptyOf(object);
  if (empty?.includes(name))
    noteGivenEmpty(
      object,
      empty.filter((other) => other !== name),
    );
}

/** The member as Go holds it: what it is, else `empty` where the client sent it so, else null. */
export const asGiven = (
  object: object | undefined | null,
  name: string,
  empty: readonly [] | Readonly<Record<string, never>>,
): unknown =>
  (object as Readonly<Record<string, unknown>> | undefined | null)?.[name] ??
  (wasGivenEmpty(object, name) ? empty : null);

/** A member that has got a value since, by a default, is what it holds. */
const stillEmptyOf = (object: object): readonly string[] =>
  givenEmptyOf(object)?.filter((name) => getOwn(object as Record<string, unknown>, name) === undefined) ?? [];

/** Whether two pieces of plain JSON data are the same even to Go's reflect.DeepEqual, to which an empty list is not none. */
export function equalAsGiven(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return (a ?? null) === (b ?? null);
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  const [before, after] = [stillEmptyOf(a), stillEmptyOf(b)];
  if (
    Array.isArray(a) !== Array.isArray(b) ||
    before.length !== after.length ||
    before.some((name) => !after.includes(name))
  )
    return false;
  return [...names].every((name) =>
    equalAsGiven(getOwn(a as Record<string, unknown>, name), getOwn(b as Record<string, unknown>, name)),
  );
}
