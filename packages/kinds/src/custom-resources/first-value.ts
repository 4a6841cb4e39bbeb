import { type JsonPath, JsonPathError } from "@coxswain/apimachinery/jsonpath";

/** The first value that a path finds in an object; undefined for none. */
export function firstOf(object: unknown, path: JsonPath): unknown {
  try {
    return path.find(object, { allowMissingKeys: true })[0]?.[0];
  } catch (err) {
    if (err instanceof JsonPathError) return undefined; // for example, a list is shorter than the path expects
    throw err;
  }
}
