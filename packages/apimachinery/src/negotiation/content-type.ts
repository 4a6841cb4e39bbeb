const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z{}]+/;
const space = /^[\s\u0085]+/;

/** What nearly every client sends. */
const ordinary = new Set([
  "application/json",
  "application/vnd.kubernetes.protobuf",
  "application/strategic-merge-patch+json",
  "application/merge-patch+json",
  "application/json-patch+json",
  "application/apply-patch+yaml",
]);

/** The media type that a Content-Type header names, in lower case, or undefined if Go would not read the header. */
export function parseMediaType(header: string): string | undefined {
  if (ordinary.has(header)) return header;
  const semicolon = header.indexOf(";");
  const base = semicolon < 0 ? header : header.slice(0, semicolon);
  const mediaType = base.toLowerCase().trim();
  const [type = "", subtype, ...more] = mediaType.split("/");
  if (!isToken(type) || (subtype !== undefined && !isToken(subtype)) || more.length > 0) return undefined;
  return hasValidParams(header.slice(base.length)) ? mediaType : undefined;
}

const isToken = (text: string): boolean => token.exec(text)?.[0] === text;

function hasValidParams(text: string): boolean {
  const seen = new Map<string, string>();
  let rest = text.replace(space, "");
  while (rest !== "") {
    const param = readParam(rest);
    if (!param) return rest.trim() === ";";
    const before = seen.get(param.name);
    if (before !== undefined && before !== param.value) return false;
    seen.set(param.name, param.value);
    rest = param.rest.replace(space, "");
  }
  return true;
}

function readParam(text: string): { name: string; value: string; rest: string } | undefined {
  if (!text.startsWith(";")) return undefined;
  let rest = text.slice(1).replace(space, "");
  const name = token.exec(rest)?.[0];
  if (name === undefined) return undefined;
  rest = rest.slice(name.length).replace(space, "");
  if (!rest.startsWith("=")) return undefined;
  rest = rest.slice(1).replace(space, "");
  const value = rest.startsWith('"') ? quotedAt(rest) : token.exec(rest)?.[0];
  return value === undefined ? undefined : { name: name.toLowerCase(), value, rest: rest.slice(value.length) };
}

/** What a backslash may stand before in a quoted value, as Go's mime package has it; before anything else it stands for itself. */
const escapable = '()<>@,;:\\"/[]?=';

/** The quoted value at the beginning of the text, quotes and all; undefined if it does not end on this line. */
function quotedAt(text: string): string | undefined {
  for (let at = 1; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') return text.slice(0, at + 1);
    if (char === "\r" || char === "\n") return undefined;
    if (char === "\\" && at + 1 < text.length && escapable.includes(text.charAt(at + 1))) at++;
  }
  return undefined;
}
