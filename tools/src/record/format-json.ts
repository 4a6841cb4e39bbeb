import type { Json } from "./json.js";

const width = 120;
/** Documents longer than this are written on one line: nobody reads them, and indentation would be most of the file. */
const longDocument = 100_000;

/** JSON for people: whatever fits in a line stands in one line. */
export function formatJson(value: Json, indent = ""): string {
  const flat = JSON.stringify(value);
  if (typeof value !== "object" || value === null || (flat.length > longDocument && indent.length >= 4)) return flat;
  if (indent.length + flat.length <= width) return spaced(value);
  const deeper = `${indent} `;
  const parts = Array.isArray(value)
    ? value.map((item: Json) => formatJson(item, deeper))
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${formatJson(member as Json, deeper)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return `${open}\n${parts.map((part) => deeper + part).join(",\n")}\n${indent}${close}`;
}

function spaced(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item: Json) => spaced(item)).join(", ")}]`;
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${spaced(member as Json)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
