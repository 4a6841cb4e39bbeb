import { isJsonObject } from "../json/index.js";

/** A JSON object whose members anyone may have named: read with `getOwn`, written with `setOwn`. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject: (value: unknown) => value is JsonObject = isJsonObject;

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
