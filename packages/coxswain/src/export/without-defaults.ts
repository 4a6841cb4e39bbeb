import type { KubernetesObject } from "@coxswain/apimachinery/meta";

/** Leaves that are tried, at most: an object with more is written with its defaults. */
const mostLeaves = 2000;

/**
 * Pure: the object without what `complete` would set again. Each member is left out on trial: where the defaults bring back the same
 * object, it was not needed.
 */
export function withoutDefaults<T extends KubernetesObject>(object: T, complete: (object: T) => unknown): T {
  let smallest = structuredClone(object);
  const completed = (candidate: T): string => canonical(complete(structuredClone(candidate)));
  const wanted = completed(smallest);
  let tried = 0;
  let isSmaller = true;
  const visit = (path: readonly (string | number)[]): void => {
    const value = at(smallest, path);
    // What is deepest first: an object whose members are all defaults goes as a whole.
    for (const name of membersOf(value)) visit([...path, name]);
    const last = path.at(-1);
    if (path.length < 2 || typeof last === "number" || ++tried > mostLeaves) return;
    const candidate = structuredClone(smallest);
    Reflect.deleteProperty(at(candidate, path.slice(0, -1)) as object, last as string);
    if (completed(candidate) !== wanted) return;
    smallest = candidate;
    isSmaller = true;
  };
  // Again: a default may be one only where another member is not there either (of a Job completions and parallelism).
  while (isSmaller) {
    isSmaller = false;
    visit([]);
  }
  return smallest;
}

function membersOf(value: unknown): (string | number)[] {
  if (Array.isArray(value)) return value.map((_, index) => index);
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}

const at = (object: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Record<string | number, unknown> | undefined)?.[name], object);

/** The same text for equal values, whatever the order of their members; an empty object is none. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, member: unknown) => {
      if (typeof member !== "object" || member === null || Array.isArray(member)) return member;
      return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
    }) ?? ""
  );
}
