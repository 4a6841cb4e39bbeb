import type { JSONSchemaProps } from "@coxswain/api/apiextensions/v1";

/** Markers whose value is written as it is, by the schema's own name for them. */
const plain = [
  "title",
  "format",
  "minLength",
  "maxLength",
  "pattern",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
  "multipleOf",
] as const;

/**
 * The JSDoc of a schema: its description, and what a type does not express (limits, defaults, list types, rules) as the markers that
 * `coxswain operator generate` reads, so that an imported type makes the same schema again.
 */
export function docComment(schema: JSONSchemaProps, indent: string, further: readonly string[] = []): string {
  const markers = [...markersOf(schema), ...further];
  const lines = [...(schema.description ?? "").trimEnd().split("\n"), ...markers].map(escapeComment);
  if (lines[0] === "") lines.shift();
  if (lines.length === 0) return "";
  if (lines.length === 1 && lines[0]!.length + indent.length < 110) return `${indent}/** ${lines[0]!} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`).join("")}${indent} */\n`;
}

/** A comment ends at the first asterisk and slash, wherever they stand. */
const escapeComment = (line: string): string => line.replaceAll("*/", "*\\/").trimEnd();

function markersOf(schema: JSONSchemaProps, prefix = ""): string[] {
  const markers: string[] = [];
  const add = (name: string, value: unknown): void => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    // A marker is one line; the type stands without one that is more.
    if (!text.includes("\n") && text !== "") markers.push(`@${prefix}${name} ${text}`);
  };
  for (const name of plain) if (schema[name] !== undefined && !isInType(schema, name)) add(name, schema[name]);
  if (schema.minimum !== undefined)
    add(schema.exclusiveMinimum === true ? "exclusiveMinimum" : "minimum", schema.minimum);
  if (schema.maximum !== undefined)
    add(schema.exclusiveMaximum === true ? "exclusiveMaximum" : "maximum", schema.maximum);
  if (schema["x-kubernetes-list-type"] !== undefined) add("listType", schema["x-kubernetes-list-type"]);
  for (const key of schema["x-kubernetes-list-map-keys"] ?? []) add("listMapKey", key);
  if (schema["x-kubernetes-map-type"] !== undefined) add("mapType", schema["x-kubernetes-map-type"]);
  for (const rule of schema["x-kubernetes-validations"] ?? [])
    add(
      "cel",
      Object.entries(rule)
        .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
        .join(" "),
    );
  if (schema.default !== undefined) add("default", JSON.stringify(schema.default));
  if (schema.example !== undefined) add("example", JSON.stringify(schema.example));
  if (schema.items === undefined || Array.isArray(schema.items)) return markers;
  return [...markers, ...markersOf(schema.items, `${prefix}items.`)];
}

/** Whether the type that stands there has it already: Int32, Time, Base64 and Quantity do. */
function isInType(schema: JSONSchemaProps, name: string): boolean {
  if (name === "format") return schema.type === "integer" || ["date-time", "byte"].includes(schema.format ?? "");
  return name === "pattern" && schema["x-kubernetes-int-or-string"] === true;
}
