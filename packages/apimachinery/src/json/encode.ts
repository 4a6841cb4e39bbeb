import type { SchemaNode } from "../schema/index.js";
import { encodeUtf8 } from "../text/utf8-bytes.js";
import { escapeLikeGo } from "./escape-like-go.js";
import { writeJsonBytes } from "./write-bytes.js";

/**
 * The bytes of an object in canonical form, as the API server writes it, without the line break at its end.
 * The node is not needed, since order is in the object; it is taken so that all codecs are called alike.
 */
export function encodeJson(object: unknown, _node?: SchemaNode, options: { pretty?: boolean } = {}): Uint8Array {
  return options.pretty === true ? encodeUtf8(stringifyJson(object, options)) : writeJsonBytes(object);
}

/** The same as text. */
export function stringifyJson(object: unknown, options: { pretty?: boolean } = {}): string {
  return escapeLikeGo(options.pretty === true ? stringify(object, 2) : stringify(object));
}

/** Without Go's escapes: for JSON inside of other formats. */
export function stringify(object: unknown, indent?: number): string {
  try {
    return JSON.stringify(object, undefined, indent);
  } catch (err) {
    if (!(err instanceof TypeError)) throw err;
    const text = stringifyExactly(object); // there is a bigint in it
    return indent === undefined ? text : indentText(text, indent);
  }
}

function stringifyExactly(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return `[${value.map(stringifyExactly).join(",")}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${stringifyExactly(member)}`).join(",")}}`;
}

/** Indents compact JSON as `JSON.stringify` would. */
function indentText(text: string, indent: number): string {
  let depth = 0;
  const newline = (): string => `\n${" ".repeat(depth * indent)}`;
  return text.replaceAll(/"(?:[^"\\]|\\.)*"?|\{\}|\[\]|[[\]{},:]/g, (token) => {
    if (token === "{" || token === "[") {
      depth++;
      return token + newline();
    }
    if (token === "}" || token === "]") {
      depth--;
      return newline() + token;
    }
    if (token === ",") return token + newline();
    return token === ":" ? ": " : token;
  });
}
