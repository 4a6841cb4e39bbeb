import { posix } from "node:path";

/** What looks like a path: it has a slash, or the ending of a source. Commands have blanks, names of npm packages begin with "@". */
const isPath = (text: string): boolean =>
  /^[\w.<*{][^\s@]*$/.test(text) && (/\//.test(text) || /\.(ts|mjs|md)$/.test(text));

/**
 * Paths in the rows of a page's tables that are not there: "to do X, go to Y" must be true. The first path of a row is from the root;
 * later ones may also be relative to a folder of those before. `{a,b}` stands for each; of `<kind>` and `*` the folder must exist.
 */
export function checkTablePaths(
  { path, text }: { readonly path: string; readonly text: string },
  exists: (path: string) => boolean,
): string[] {
  return text.split("\n").flatMap((line, at) => {
    if (!line.startsWith("|")) return [];
    const folders = [""];
    return [...line.matchAll(/`([^`]+)`/g)]
      .map(([, span = ""]) => span)
      .filter(isPath)
      .flatMap((span) => expand(span))
      .flatMap((span) => {
        const wanted = withoutPattern(span);
        const found = folders.map((folder) => posix.join(folder, wanted)).find(exists);
        if (found === undefined)
          return [`${path}:${at + 1} names ${span}, which does not exist: name what replaced it.`];
        for (let folder = found; folder !== "."; folder = posix.dirname(folder)) folders.unshift(folder);
        return [];
      });
  });
}

/** "a/{b,c}" as "a/b" and "a/c". */
function expand(span: string): string[] {
  const [all, before = "", inner = "", after = ""] = /^(.*?)\{([^}]*)\}(.*)$/.exec(span) ?? [];
  return all === undefined ? [span] : inner.split(",").flatMap((each) => expand(`${before}${each}${after}`));
}

/** The folder that a name with `<…>` or `*` in it stands in. */
function withoutPattern(span: string): string {
  const parts = span.split("/");
  const first = parts.findIndex((part) => /[<*]/.test(part));
  return first < 0 ? span : parts.slice(0, first).join("/");
}
