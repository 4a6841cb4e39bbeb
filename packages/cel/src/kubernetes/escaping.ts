/**
 * Names of fields as expressions write them. JSON names may hold characters that no identifier has, and may be words that
 * CEL keeps for itself.
 */

const reserved: ReadonlySet<string> = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);

export const isReservedName = (name: string): boolean => reserved.has(name);

const escapes: Readonly<Record<string, string>> = {
  __: "__underscores__",
  ".": "__dot__",
  "-": "__dash__",
  "/": "__slash__",
};

const unescapes: ReadonlyMap<string, string> = new Map([
  ["underscores", "__"],
  ["dot", "."],
  ["dash", "-"],
  ["slash", "/"],
]);

/** The identifier for a name; undefined for a name that expressions cannot reach. */
export function escapeName(name: string): string | undefined {
  if (!/^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/.test(name)) return undefined;
  if (reserved.has(name)) return `__${name}__`;
  return /__|[-./]/.test(name) ? name.replace(/__|[-./]/g, (part) => escapes[part] as string) : name;
}

/** The name behind an identifier; undefined where it holds an escape that does not exist. */
export function unescapeName(escaped: string): string | undefined {
  if (!escaped.includes("__")) return escaped;
  let isGood = true;
  const name = escaped.replace(/__([^_]+)__/g, (whole, content: string) => {
    const plain = unescapes.get(content);
    if (plain !== undefined) return plain;
    if (reserved.has(content) && whole.length === escaped.length) return content;
    isGood = false;
    return "";
  });
  return isGood ? name : undefined;
}
