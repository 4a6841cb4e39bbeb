import type { Json } from "./json.js";
import { isJsonObject } from "./json.js";

/**
 * An OpenAPI document without its prose, which is no fact about the API and not ours to keep. Any other document comes
 * back as it is. A property that happens to be called "description" is a schema, not a text, and stays.
 */
export function withoutDescriptions(document: Json): Json {
  const isOpenApi =
    isJsonObject(document) && (typeof document["openapi"] === "string" || typeof document["swagger"] === "string");
  return isOpenApi ? strip(document) : document;
}

function strip(value: Json): Json {
  if (Array.isArray(value)) return value.map(strip);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(
    ([name, member]) => !(name === "description" && typeof member === "string"),
  );
  return Object.fromEntries(kept.map(([name, member]) => [name, strip(member)]));
}
