import { goText, goType } from "@coxswain/apimachinery/jsonpath";
import { getOwn } from "@coxswain/apimachinery/own";
import { isObject } from "@coxswain/apimachinery/structural-schema";

/** A value inside an object: undefined where there is none, or why it cannot be read. */
export type Nested<T> = { readonly value: T | undefined; readonly error?: undefined } | { readonly error: string };

export const splitPath = (path: string): string[] => path.replace(/^\./, "").split(".");

export const nestedInteger = (object: unknown, path: readonly string[]): Nested<number | bigint> =>
  nested(object, path, "int64", (value) => typeof value === "bigint" || Number.isInteger(value));

export const nestedText = (object: unknown, path: readonly string[]): Nested<string> =>
  nested(object, path, "string", (value) => typeof value === "string");

function nested<T>(
  object: unknown,
  path: readonly string[],
  wanted: string,
  isWanted: (value: unknown) => boolean,
): Nested<T> {
  let value = object;
  for (const [at, name] of path.entries()) {
    if (value === null) return { value: undefined };
    if (!isObject(value)) return { error: wrongType(path.slice(0, at + 1), value, "map[string]interface{}") };
    value = getOwn<unknown>(value, name);
    if (value === undefined) return { value: undefined };
  }
  return isWanted(value) ? { value: value as T } : { error: wrongType(path, value, wanted) };
}

const wrongType = (path: readonly string[], value: unknown, wanted: string): string =>
  `.${path.join(".")} accessor error: ${goText(value)} is of the type ${value === null ? "<nil>" : goType(value)}, expected ${wanted}`;
