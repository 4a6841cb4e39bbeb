import { duplicate, type FieldError, type FieldPath, tooMany } from "@coxswain/apimachinery/field";

type CheckItem<T> = (item: T, path: FieldPath) => readonly FieldError[];

/** A list that is too long is reported by its length only: its items are not validated. */
export function checkBoundedList<T>(
  list: readonly T[] | undefined,
  most: number,
  path: FieldPath,
  checkItem: CheckItem<T>,
): FieldError[] {
  if (!list) return [];
  if (list.length > most) return [tooMany(path, list.length, most)];
  return list.flatMap((item, at) => checkItem(item, path.index(at)));
}

interface SetRules<T> {
  readonly most: number;
  readonly checkItem: CheckItem<T>;
  readonly keyOf: (item: T) => string;
  /** The key in the form messages show it. @default the key */
  readonly shown?: (key: string) => unknown;
}

/** A list whose items have different keys. */
export function checkBoundedSet<T>(
  list: readonly T[] | undefined,
  path: FieldPath,
  { most, checkItem, keyOf, shown = (key) => key }: SetRules<T>,
): FieldError[] {
  const errors = checkBoundedList(list, most, path, checkItem);
  if (!list || list.length > most) return errors;
  const seen = new Set<string>();
  for (const [at, item] of list.entries()) {
    const key = keyOf(item);
    if (seen.has(key)) errors.push(duplicate(path.index(at), shown(key)));
    seen.add(key);
  }
  return errors;
}

export const itself = (text: string): string => text;
