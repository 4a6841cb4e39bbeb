import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

export type RecordedJson = null | boolean | number | string | RecordedJson[] | { [member: string]: RecordedJson };

/** For tests: what the real server answered, without prose. `node tools/dist/record/documents.js` records it anew. */
export function readRecorded<T>(name: "discovery" | "openapi-v3" | "openapi-v2" | "custom-resource"): T {
  const file = new URL(`../../testdata/documents/${name}.json.gz`, import.meta.url);
  return JSON.parse(gunzipSync(readFileSync(file)).toString()) as T;
}

/**
 * A document in a form in which ours and a recorded one can be compared: without prose, and with `allOf` around a lone
 * reference undone, because it is there only to hold a description.
 */
export function withoutProse(value: unknown): RecordedJson {
  if (Array.isArray(value)) return value.map(withoutProse);
  if (typeof value !== "object" || value === null) return value as RecordedJson;
  const kept = Object.entries(value).filter(
    ([name, member]) => !(name === "description" && typeof member === "string"),
  );
  const [only] = kept;
  if (kept.length === 1 && only?.[0] === "allOf" && Array.isArray(only[1]) && only[1].length === 1)
    return withoutProse(only[1][0]);
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutProse(member)]));
}
