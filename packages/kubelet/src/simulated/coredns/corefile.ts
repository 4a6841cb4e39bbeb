/** A server block of a Corefile: the zones it is for, and its plugins in their order. */
export interface ServerBlock {
  /** Without a final dot, in lower case; empty: the root, so any name. */
  readonly zones: readonly string[];
  readonly plugins: readonly string[];
}

/** What CoreDNS serves without a file (core/dnsserver/register.go, `DefaultInput`). */
export const defaultCorefile = ".:53 {\nwhoami\nlog\n}\n";

/** Pure: blocks of a Corefile. Of plugins only their names: their arguments are left out, with all that stands in their own braces. */
export function parseCorefile(text: string): readonly ServerBlock[] {
  const blocks: { zones: string[]; plugins: string[] }[] = [];
  let depth = 0;
  for (const line of text.split("\n")) {
    const [first, ...more] = line.replace(/#.*/, "").trim().split(/\s+/);
    if (first === undefined || first === "") continue;
    const words = [first, ...more];
    const opens = words.at(-1) === "{";
    if (first === "}") depth--;
    else if (depth === 0) blocks.push({ zones: words.filter((word) => word !== "{").map(zoneOf), plugins: [] });
    else if (depth === 1) blocks.at(-1)?.plugins.push(first);
    if (opens) depth++;
  }
  return blocks;
}

/** Of `dns://example.org.:53`, as a name. */
const zoneOf = (word: string): string =>
  word
    .replace(/^[a-z]+:\/\//, "")
    .replace(/:\d+,?$|,$/, "")
    .replace(/\.$/, "")
    .toLowerCase();

/** Pure: the block whose zone is the longest one that the name is in. */
export function blockOf(blocks: readonly ServerBlock[], name: string): ServerBlock | undefined {
  const asked = name.replace(/\.$/, "").toLowerCase();
  const isIn = (zone: string): boolean => zone === "" || asked === zone || asked.endsWith(`.${zone}`);
  const found = blocks
    .flatMap((block) => block.zones.filter(isIn).map((zone) => ({ block, zone })))
    .toSorted((a, b) => b.zone.length - a.zone.length);
  return found[0]?.block;
}
