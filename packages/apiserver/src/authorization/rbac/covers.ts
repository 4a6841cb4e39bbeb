import { type HeldIndex, indexHeld, keyOf, type Rule, type RuleSet } from "./held-index.js";

export type { Rule } from "./held-index.js";

/*
 * Upstream breaks a wanted rule down into one rule per group, resource, verb and name, and compares each with every held rule. The
 * number of those is the product of four lists that the client writes: a Role of 8 KB has 400³ of them and exhausts the memory.
 * Here a list's entries that are covered by the same held rules are looked at once, and so is each set of held rules that is
 * left after the lists before. Only what is reported as missing is written out, up to a limit.
 */

/** What of the wanted rules is not covered. */
export interface Uncovered {
  /** In the smallest pieces: one verb, one group, one resource, one name, or one path. Empty: everything is covered, unless `truncated`. */
  readonly rules: readonly Rule[];
  /** There is more than that, or may be: the rest was not compared. */
  readonly truncated: boolean;
}

/** A message with more pieces than these is of no use to anybody. */
const mostPieces = 10_000;
/** Of all the strings in the pieces: a piece repeats its group and resource, which may be long. */
const mostCharacters = 1 << 20;
/** Comparisons for one call, a tenth of a second with hundreds of held rules. Rules that real users write take a few thousand. */
const mostSteps = 100_000;
/** And these for each wanted rule, enough for one that has an entry in each list. */
const stepsPerRule = 8;

/** What of `wanted` no rule of `held` covers. Beyond the limits the rest counts as not covered: the answer errs to the safe side. */
export function uncoveredRules(held: readonly Rule[], wanted: readonly Rule[]): Uncovered {
  const index = indexHeld(held);
  const search: Search = {
    rules: [],
    truncated: false,
    characters: 0,
    steps: 0,
    mostSteps: mostSteps + stepsPerRule * wanted.length,
  };
  for (const rule of wanted) {
    findUncovered(resourceGrid(rule, index), search);
    findUncovered(pathGrid(rule, index), search);
    if (search.truncated) break;
  }
  return search;
}

interface Search {
  readonly rules: Rule[];
  truncated: boolean;
  characters: number;
  steps: number;
  readonly mostSteps: number;
}

/** One list of a wanted rule: each entry, and the held rules that cover it. */
interface Dimension {
  readonly entries: readonly { readonly text: string; readonly by: RuleSet }[];
  /** The different sets among them. */
  readonly sets: readonly RuleSet[];
}

/** A wanted rule as the product of its lists. */
interface Grid {
  readonly start: RuleSet;
  readonly dimensions: readonly Dimension[];
  /** For each dimension: the held rules that cover all of it and of those after it. */
  readonly whole: readonly RuleSet[];
  /** What was found before, for each dimension. */
  readonly known: readonly Map<string, boolean>[];
  readonly toRule: (texts: readonly string[]) => Rule;
}

function resourceGrid(rule: Rule, held: HeldIndex): Grid {
  const names = rule.resourceNames ?? [];
  const lists = [
    dimension(rule.apiGroups, held.group),
    dimension(rule.resources, held.resource),
    dimension(rule.verbs, held.verb),
    ...(names.length > 0 ? [dimension(names, held.name)] : []),
  ];
  // A rule without names is about all of them; all of them are not covered by some.
  return grid(names.length > 0 ? held.all : held.unnamed, lists, ([group, resource, verb, name]) => ({
    apiGroups: [group ?? ""],
    resources: [resource ?? ""],
    verbs: [verb ?? ""],
    ...(name === undefined ? {} : { resourceNames: [name] }),
  }));
}

const pathGrid = (rule: Rule, held: HeldIndex): Grid =>
  grid(
    held.unnamed,
    [dimension(rule.nonResourceURLs, held.path), dimension(rule.verbs, held.verb)],
    ([path, verb]) => ({ nonResourceURLs: [path ?? ""], verbs: [verb ?? ""] }),
  );

function dimension(list: readonly string[] | undefined, coveredBy: (entry: string) => RuleSet): Dimension {
  const entries = (list ?? []).map((text) => ({ text, by: coveredBy(text) }));
  return { entries, sets: [...new Map(entries.map(({ by }) => [keyOf(by), by])).values()] };
}

function grid(start: RuleSet, dimensions: readonly Dimension[], toRule: Grid["toRule"]): Grid {
  const whole: RuleSet[] = [];
  let rest = start;
  for (const { sets } of [...dimensions].reverse()) {
    for (const set of sets) rest &= set;
    whole.unshift(rest);
  }
  return { start, dimensions, whole, known: dimensions.map(() => new Map()), toRule };
}

function findUncovered(grid: Grid, search: Search): void {
  if (grid.dimensions.some(({ entries }) => entries.length === 0)) return;
  const texts: string[] = [];
  const walk = (rules: RuleSet, at: number): void => {
    for (const { text, by } of grid.dimensions[at]!.entries) {
      if (search.truncated) return;
      search.steps += 1;
      // Nothing is known of the rest, so it may be missing.
      if (search.steps > search.mostSteps) return void (search.truncated = true);
      if (isCovered(grid, rules & by, at + 1, search)) continue;
      texts[at] = text;
      if (at + 1 < grid.dimensions.length) walk(rules & by, at + 1);
      else report(grid.toRule(texts), texts, search);
    }
  };
  if (!isCovered(grid, grid.start, 0, search)) walk(grid.start, 0);
}

function report(rule: Rule, texts: readonly string[], search: Search): void {
  for (const text of texts) search.characters += text.length;
  const isOver = search.rules.length >= mostPieces || search.characters > mostCharacters;
  // The first is reported however long it is.
  if (isOver && search.rules.length > 0) search.truncated = true;
  else search.rules.push(rule);
}

/** Whether `rules`, which cover all that was chosen in the dimensions before, cover every choice in those from `at` on. */
function isCovered(grid: Grid, rules: RuleSet, at: number, search: Search): boolean {
  if (rules === 0n) return false;
  if (at === grid.dimensions.length || (rules & grid.whole[at]!) !== 0n) return true;
  const known = grid.known[at]!;
  const key = keyOf(rules);
  let covered = known.get(key);
  if (covered !== undefined) return covered;
  covered = true;
  for (const set of grid.dimensions[at]!.sets) {
    search.steps += 1;
    // Too many to compare: what is not shown to be covered is not.
    if (search.steps > search.mostSteps || !isCovered(grid, rules & set, at + 1, search)) {
      covered = false;
      break;
    }
  }
  known.set(key, covered);
  return covered;
}
