/** A call of the command in a line of a page: the words of its command, and the flags it is given. */
export interface CoxswainCall {
  readonly words: readonly string[];
  readonly flags: readonly string[];
}

/** Commands whose second word, or third, names a command of its own. */
const nested = new Set(["operator", "api", "store", "certs", "node", "token", "image", "history", "why"]);

/** Pure: the calls of `coxswain` in a command line. What stands behind ` -- ` or `#` belongs to others. */
export function coxswainCalls(line: string): CoxswainCall[] {
  const own = line.replace(/\s#\s.*$/, "").replace(/ -- .*$/, "");
  return [...own.matchAll(/(?:^|[\s(|&;])coxswain ([^|&;)]*)/g)].flatMap(([, rest = ""]) => {
    const words = rest.split(/\s+/).filter((word) => word !== "");
    const [first] = words;
    if (first === undefined || !/^[a-z-]+$/.test(first) || first.startsWith("-")) return [];
    const flags = words.flatMap((word) => /^\[?(--[a-z][a-z0-9-]*)/.exec(word)?.[1] ?? []);
    return [{ words: nested.has(first) ? subcommandOf(words) : [first], flags }];
  });
}

function subcommandOf(words: readonly string[]): string[] {
  const end = words.findIndex((word, at) => at > 0 && !/^[a-z]+$/.test(word));
  return words.slice(0, Math.min(end < 0 ? words.length : end, words[1] === "create" ? 3 : 2));
}
