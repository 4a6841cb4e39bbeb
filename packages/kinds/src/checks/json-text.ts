import { decodeAny, encodeUtf8 } from "@coxswain/apimachinery/json";
import { goJsonKind } from "@coxswain/apimachinery/text";

/** A text is why it cannot be read, in the words of Go's decoder. */
type ReadJson<T> = { readonly value: T } | { readonly problem: string };

function readJson(text: string): ReadJson<unknown> {
  try {
    return { value: decodeAny(encodeUtf8(text)) };
  } catch (err) {
    return { problem: err instanceof Error ? err.message : String(err) };
  }
}

const isObject = (value: unknown): boolean => typeof value === "object" && !Array.isArray(value);

const cannotUnmarshal = (value: unknown, goType: string): string =>
  `json: cannot unmarshal ${goJsonKind(value)} into Go value of type ${goType}`;

/** A text that should be a list of objects (null is an empty one); `goType`: of what Go's decoder makes of an item. */
export function readJsonObjects(text: string, goType: string): ReadJson<unknown[]> {
  const read = readJson(text);
  if ("problem" in read) return read;
  const list: unknown = read.value ?? [];
  if (!Array.isArray(list)) return { problem: cannotUnmarshal(list, `[]${goType}`) };
  const odd: unknown = list.find((item) => !isObject(item));
  return odd === undefined ? { value: list } : { problem: cannotUnmarshal(odd, goType) };
}

/** The message of Go's decoder for a text that should be a JSON object; undefined when it is one (or null, which counts as empty). */
export function jsonObjectProblem(text: string): string | undefined {
  const read = readJson(text);
  if ("problem" in read) return read.problem;
  return isObject(read.value) ? undefined : cannotUnmarshal(read.value, "map[string]interface {}");
}
