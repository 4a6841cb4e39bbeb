import { getOwn, setOwn } from "../own/index.js";
import { isList, isObject } from "../patch/json-value.js";

/** The way from an object down to a value: names of members, and `items` for the first item of a list. */
export type Way = readonly (string | typeof items)[];

export const items: unique symbol = Symbol("items");

/** The object that has nothing but the value, where the way leads to it. */
export function surround(value: unknown, way: Way): unknown {
  return way.reduceRight<unknown>((inner, step) => {
    if (step === items) return [inner];
    const out: Record<string, unknown> = {};
    setOwn(out, step, inner);
    return out;
  }, value);
}

/** What is at the end of the way; undefined where it is cut off. */
export function follow(object: unknown, way: Way): unknown {
  return way.reduce<unknown>(
    (value, step) =>
      step === items
        ? isList(value)
          ? value[0]
          : undefined
        : isObject(value)
          ? getOwn<unknown>(value, step)
          : undefined,
    object,
  );
}
