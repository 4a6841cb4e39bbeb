/**
 * A JSON pointer as upstream reads it (gopkg.in/evanphx/json-patch.v4/patch.go, findObject): what stands before the first slash is ignored ("a/b" means "/b").
 * Undefined for text without a slash, the root included: no operation but `test` and `replace` reaches the root.
 */
export function parsePointer(path: string): { parents: string[]; key: string } | undefined {
  const parts = path.split("/");
  if (parts.length < 2) return undefined;
  const decoded = parts
    .slice(1)
    .map((part) => (part.includes("~") ? part.replaceAll(/~[01]/g, (escape) => (escape === "~1" ? "/" : "~")) : part));
  const key = decoded.pop() ?? "";
  return { parents: decoded, key };
}

/** A list index as Go's strconv.Atoi reads it; otherwise the text of its error. */
export function parseIndex(key: string): number | string {
  if (!/^[+-]?[0-9]+$/.test(key)) return `strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`;
  const index = Number(key);
  return Number.isSafeInteger(index) ? index : `strconv.Atoi: parsing ${JSON.stringify(key)}: value out of range`;
}
