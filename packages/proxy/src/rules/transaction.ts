import { type Chain, type Container, containers, sets } from "./element.js";
import type { ElementChange, RuleChanges } from "./rule-changes.js";
import { declareTable, fixedChains } from "./table-layout.js";
import { type TableSettings, wordsOf } from "./table-settings.js";

/** nft reads commands of this many elements faster than single ones or one huge one. */
const elementsPerCommand = 1_000;

/** Pure: the commands for `nft -f -` that make these changes, all or none. */
export function writeChanges(settings: TableSettings, changes: RuleChanges): string {
  return [...lines(settings, changes)].join("\n").concat("\n");
}

/** The whole table as the commands of one transaction, however it looked before. Sets of clients that are still wanted keep them. */
export function writeTable(
  settings: TableSettings,
  wanted: RuleChanges,
  existing: ExistingObjects | undefined,
): string {
  const { table } = wordsOf(settings.family);
  const flushed = [...containers, "node-port-ips" as const].filter((name) => existing?.sets.has(name));
  const kindOf = (name: (typeof flushed)[number]): string =>
    name === "node-port-ips" || sets.has(name) ? "set" : "map";
  const commands =
    existing === undefined
      ? [`add table ${table}`, `delete table ${table}`]
      : [`flush table ${table}`, ...flushed.map((name) => `flush ${kindOf(name)} ${table} ${name}`)];
  return [
    ...commands,
    ...declareTable(settings),
    ...writeChains(table, fixedChains(settings)),
    ...lines(settings, wanted),
    "",
  ].join("\n");
}

/** The names of what a table holds. */
export interface ExistingObjects {
  readonly chains: ReadonlySet<string>;
  /** Sets and maps. */
  readonly sets: ReadonlySet<string>;
}

function* lines(settings: TableSettings, changes: RuleChanges): Iterable<string> {
  const { table, addressType } = wordsOf(settings.family);
  for (const name of changes.deleted) yield `delete chain ${table} ${name}`;
  for (const [name, seconds] of changes.addedSets)
    yield `add set ${table} ${name} { type ${addressType} ; flags dynamic,timeout ; timeout ${seconds}s ; }`;
  yield* writeChains(table, changes.chains);
  yield* writeElements(table, "delete", changes.elements);
  yield* writeElements(table, "add", changes.elements);
  for (const name of changes.emptied) yield `flush chain ${table} ${name}`;
  for (const name of changes.removedSets) yield `delete set ${table} ${name}`;
}

/** All chains first: a rule may go to any of them. */
function* writeChains(table: string, chains: readonly Chain[]): Iterable<string> {
  for (const { name } of chains) yield `add chain ${table} ${name}`;
  for (const { name, rules } of chains) {
    yield `flush chain ${table} ${name}`;
    for (const rule of rules) yield `add rule ${table} ${name} ${rule}`;
  }
}

function* writeElements(table: string, verb: "add" | "delete", changes: readonly ElementChange[]): Iterable<string> {
  const byContainer = new Map<Container, string[]>();
  for (const { container, key, before, after } of changes) {
    const value = verb === "add" ? after : before;
    if (value === undefined) continue;
    const texts = byContainer.get(container) ?? [];
    byContainer.set(container, texts);
    texts.push(verb === "add" && !sets.has(container) ? `${key} : ${value}` : key);
  }
  for (const [container, texts] of byContainer)
    for (let at = 0; at < texts.length; at += elementsPerCommand)
      yield `${verb} element ${table} ${container} { ${texts.slice(at, at + elementsPerCommand).join(", ")} }`;
}
