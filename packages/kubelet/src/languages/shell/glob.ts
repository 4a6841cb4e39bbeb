import { matchesPattern } from "./pattern.js";
import { charge, pace, type ShellProcess } from "./shell-process.js";

const isGlob = (text: string): boolean => /[*?]/.test(text.replace(/\\./gs, ""));
const literal = (pattern: string): string => pattern.replace(/\\(.)/gs, "$1");

/** Pure: whether the files are to be looked at for a word. */
export const hasGlob = isGlob;

/** The paths that a pattern with `*` and `?` matches, in order; none: the word stays as it is. */
export async function matchFiles(pattern: string, process: ShellProcess): Promise<string[]> {
  const isAbsolute = pattern.startsWith("/");
  const segments = pattern.split("/").filter((segment) => segment !== "");
  let found = [""];
  for (const [at, segment] of segments.entries()) {
    const next: string[] = [];
    for (const before of found) {
      const directory = process.resolve(isAbsolute ? `/${before}` : before || ".");
      for (const name of await namesIn(directory, segment, process)) {
        const path = before === "" ? name : `${before}/${name}`;
        const absolute = process.resolve(isAbsolute ? `/${path}` : path);
        const isLast = at === segments.length - 1;
        const isThere = process.files.isDirectory(absolute) || (isLast && process.files.read(absolute) !== undefined);
        if (!isThere) continue;
        process.budget.check(next.length * 64 + path.length);
        next.push(path);
      }
    }
    found = next;
  }
  return found.map((path) => (isAbsolute ? `/${path}` : path));
}

async function namesIn(directory: string, segment: string, process: ShellProcess): Promise<string[]> {
  if (!isGlob(segment)) return [literal(segment)];
  const names: string[] = [];
  for (const name of process.files.list(directory)) {
    charge(process, 64 + name.length);
    await pace(process);
    // Names with a dot in front are not meant, unless the pattern has one.
    if (name.startsWith(".") && !segment.startsWith(".")) continue;
    if (await matchesPattern(name, segment, process)) names.push(name);
  }
  return names;
}
