import { type JsonPath, JsonPathError, type Visits } from "@coxswain/apimachinery/jsonpath";

/** The first value that a path finds in an object; undefined for none, and where the path visits too much. */
export function firstOf(object: unknown, path: JsonPath, visits?: Visits): unknown {
  try {
    return path.find(object, { allowMissingKeys: true, ...(visits && { visits }) })[0]?.[0];
  } catch (err) {
    if (err instanceof JsonPathError) return undefined; // for example, a list is shorter than the path expects
    throw err;
  }
}
