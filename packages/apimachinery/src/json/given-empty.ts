/**
 * Members that were given as an empty list or map and are left out of the canonical form, by name. Go tells them from those
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
export const wasGivenEmpty = (object: object | undefined | null, name: string): boolean => (object as Noted | undefined | null)?.[givenEmpty]?.includes(name) ?? false;
