/** An escape that is none: upstream's HTTP server refuses such a target before anything reads it. */
export const hasBrokenEscape = (path: string): boolean => path.includes("%") && /%(?![0-9a-f]{2})/i.test(path);

/** Undefined for a path with a broken escape. Bytes that are no UTF-8 become the replacement character. */
export function decodePath(path: string): string | undefined {
  if (!path.includes("%")) return path;
  if (hasBrokenEscape(path)) return undefined;
  return path.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8"));
}
