import { getOwn } from "@coxswain/apimachinery/own";

/** A JSON patch whose values are what they have become in the object: an operation's value is where its path leads. */
export const locateValues = (patch: unknown, object: object): unknown =>
  (patch as readonly { readonly path?: unknown }[]).map((operation) => ({ value: valueAt(object, operation?.path) }));

function valueAt(object: object, path: unknown): unknown {
  if (typeof path !== "string") return undefined;
  let value: unknown = object;
  for (const step of path.split("/").slice(1)) {
    if (typeof value !== "object" || value === null) return undefined;
    value = getOwn<unknown>(value as Record<string, unknown>, unescapePointer(step));
  }
  return value;
}

const unescapePointer = (step: string): string => step.replaceAll("~1", "/").replaceAll("~0", "~");
