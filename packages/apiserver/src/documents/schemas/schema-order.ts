import { setOwn } from "@coxswain/apimachinery/own";
import type { OpenAPISchema } from "./openapi-schema.js";

/** Members in the order in which upstream writes them; extensions follow, sorted. */
const order = [
  "$ref description type nullable format title default maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern",
  "maxItems minItems uniqueItems multipleOf enum maxProperties minProperties required items allOf oneOf anyOf not properties",
  "additionalProperties example externalDocs",
].flatMap((line) => line.split(" "));

/** The same schema with its members, and its properties, in order. What stands below is left as it is. */
export function orderSchema(schema: OpenAPISchema): OpenAPISchema {
  const given = schema as Record<string, unknown>;
  const extensions = Object.keys(given)
    .filter((name) => name.startsWith("x-"))
    .sort();
  const ordered: Record<string, unknown> = {};
  for (const name of [...order, ...extensions]) if (given[name] !== undefined) ordered[name] = given[name];
  if (schema.properties) {
    const properties = {};
    for (const [name, property] of Object.entries(schema.properties).sort(([a], [b]) => (a < b ? -1 : 1)))
      setOwn(properties, name, property);
    ordered["properties"] = properties;
  }
  return ordered;
}
