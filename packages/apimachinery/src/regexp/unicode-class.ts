import { aliases, scripts } from "./gen/unicode-15.js";
import { anyRune, intersectionOf, negate, type RuneSet, unionOf } from "./rune-set.js";
import { assignedRunes, rangesMatching } from "./unicode-ranges.js";

const categories: ReadonlySet<string> = new Set(
  "C Cc Cf Cn Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs".split(" "),
);
const scriptNames: ReadonlySet<string> = new Set(scripts.split(" "));
const categoryOf: ReadonlyMap<string, string> = new Map(
  aliases.split(" ").map((pair) => pair.split("=") as [string, string]),
);

/** Characters that newer editions of Unicode put into another category. */
const moved: readonly (readonly [rune: number, category: string])[] = [
  [0x295, "Ll"],
  [0x1_171e, "Mn"],
];

/** A category as Go has it, whatever edition the platform knows. `members`: the categories that it holds. */
function category(name: string, members: (category: string) => boolean): RuneSet {
  let set = rangesMatching(`\\p{${name}}`);
  for (const [rune, own] of moved)
    set = members(own) ? unionOf([set, [rune, rune]]) : intersectionOf(set, negate([rune, rune]));
  return set;
}

/** Made at first use and kept: there are a few hundred at most. */
const made = new Map<string, RuneSet>();

/** Go has no table of what equals cased letters when case does not count, and so leaves this class alone. */
export const isNeverFolded = (written: string): boolean => canonicalName(written) === "Lc";

/** The characters of `\p{name}`: a category or a script. Undefined where Go knows no such name. */
export function unicodeClass(written: string): RuneSet | undefined {
  const name = canonicalName(written);
  const known = made.get(name);
  if (known !== undefined) return known;
  const set = makeClass(name);
  if (set !== undefined) made.set(name, set);
  return set;
}

/** Blanks, hyphens and underscores do not count, nor does case. */
function canonicalName(written: string): string {
  const bare = written.replace(/[-_ ]/g, "");
  return bare
    .replace(/^[a-z]/, (first) => first.toUpperCase())
    .replace(/(?<=^[^])[^]*/, (rest) => rest.replace(/[A-Z]/g, (c) => c.toLowerCase()));
}

function makeClass(name: string): RuneSet | undefined {
  switch (name) {
    case "Any":
      return anyRune;
    case "Ascii":
      return [0, 0x7f];
    case "Assigned":
      return assignedRunes();
    case "Lc":
      return category("LC", (own) => ["Lu", "Ll", "Lt"].includes(own));
    case "Cn":
      return negate(assignedRunes());
    case "C":
      return unionOf([rangesMatching("\\p{C}"), negate(assignedRunes()), [0xd800, 0xdfff]]);
    case "Cs":
      return [0xd800, 0xdfff];
    default:
      if (categories.has(name)) return category(name, (own) => own.startsWith(name));
      if (scriptNames.has(name)) return rangesMatching(`\\p{Script=${name}}`);
      return makeAlias(name);
  }
}

function makeAlias(name: string): RuneSet | undefined {
  const actual = categoryOf.get(name);
  return actual === undefined ? undefined : unicodeClass(actual);
}
