import type { DeepReadonly } from "@coxswain/api";
import type { CustomResourceDefinition, CustomResourceDefinitionNames } from "@coxswain/api/apiextensions/v1";
import { aggregateText, quoteGo } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import {
  type Condition,
  findCondition,
  isSameCondition,
  type Status,
  type WantedCondition,
  withCondition,
} from "./conditions.js";

type Definition = DeepReadonly<Pick<CustomResourceDefinition, "spec" | "status">>;
type Names = DeepReadonly<CustomResourceDefinitionNames>;

/** Names that are taken in a group. */
export interface UsedNames {
  /** Plurals, singulars and short names: they share one space. */
  readonly resources: ReadonlySet<string>;
  /** Kinds and list kinds. */
  readonly kinds: ReadonlySet<string>;
}

/** The names that definitions of a group have been given, the one in question included. */
export function usedNames(definitions: Iterable<Definition>, group: string): UsedNames {
  const [resources, kinds] = [new Set<string>(), new Set<string>()];
  for (const { spec, status } of definitions) {
    if (spec.group !== group) continue;
    const { plural, singular = "", shortNames = [], kind, listKind = "" } = namesOf(status);
    for (const name of [plural, singular, ...shortNames]) resources.add(name);
    for (const name of [kind, listKind]) kinds.add(name);
  }
  return { resources, kinds };
}

const namesOf = (status: Definition["status"]): Names => status?.acceptedNames ?? { plural: "", kind: "" };

/**
 * The status of a definition whose names were compared with those in use; undefined where nothing changes.
 * A name that another definition has is not given; the others are.
 */
export function planNames(definition: Definition, used: UsedNames, now: number): Status | undefined {
  const { spec, status = {} } = definition;
  const accepted = namesOf(status);
  if (equalNames(spec.names, accepted)) return undefined;
  const { names, conflict } = giveNames(spec.names, accepted, used);
  const named: WantedCondition = conflict ?? {
    type: "NamesAccepted",
    status: "True",
    reason: "NoConflicts",
    message: "no conflicts found",
  };
  if (equalNames(names, accepted) && isSameCondition(named, findCondition(definition, "NamesAccepted")))
    return undefined;
  const established = planEstablished(findCondition(definition, "Established"), named.status === "True");
  return withCondition(withCondition({ ...status, acceptedNames: names }, named, now), established, now);
}

/** A list that is empty is as good as none. */
const equalNames = (a: Names, b: Names): boolean => equalJson(compact(a), compact(b));
const compact = (names: Names): object =>
  Object.fromEntries(Object.entries(names).filter(([, value]) => value !== "" && value?.length !== 0));

function giveNames(
  wanted: Names,
  accepted: Names,
  { resources, kinds }: UsedNames,
): { readonly names: Names; readonly conflict: WantedCondition | undefined } {
  const names = { ...accepted };
  let conflict: WantedCondition | undefined;
  // The last conflict is the one that is reported.
  const refuse = (reason: string, message: string): void => {
    conflict = { type: "NamesAccepted", status: "False", reason, message };
  };
  const give = (
    member: "plural" | "singular" | "kind" | "listKind",
    reason: string,
    used: ReadonlySet<string>,
  ): void => {
    const name = wanted[member] ?? "";
    if (name !== (accepted[member] ?? "") && used.has(name)) refuse(reason, inUse(name));
    else names[member] = name;
  };
  give("plural", "PluralConflict", resources);
  give("singular", "SingularConflict", resources);
  const short = wanted.shortNames ?? [];
  const taken = short.filter((name) => !accepted.shortNames?.includes(name) && name !== "" && resources.has(name));
  if (taken.length > 0) refuse("ShortNamesConflict", aggregateText(taken.map(inUse)) ?? "");
  else setList(names, "shortNames", wanted.shortNames);
  give("kind", "KindConflict", kinds);
  give("listKind", "ListKindConflict", kinds);
  setList(names, "categories", wanted.categories);
  return { names, conflict };
}

const inUse = (name: string): string => `${quoteGo(name)} is already in use`;

function setList(
  names: { -readonly [K in "shortNames" | "categories"]?: readonly string[] },
  member: "shortNames" | "categories",
  list: readonly string[] | undefined,
): void {
  if (list === undefined) delete names[member];
  else names[member] = list;
}

/** Once established, a definition stays so, whatever becomes of its names. */
function planEstablished(old: Condition | undefined, accepted: boolean): WantedCondition {
  if (old?.status !== "True" && accepted)
    return {
      type: "Established",
      status: "False",
      reason: "Installing",
      message: "the initial names have been accepted",
    };
  if (old) return { ...old, type: "Established", status: old.status as WantedCondition["status"] };
  return { type: "Established", status: "False", reason: "NotAccepted", message: "not all names are accepted" };
}
