import type { ServedKind } from "./own-kind-parts.js";

/** An API group of one's own. */
export interface ApiGroup {
  /** A domain: "wardle.example.com". */
  readonly name: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- strategies take objects both ways, so only `any` lets every kind in.
  readonly kinds: readonly ServedKind<any>[];
}

/** Pure: the groups of kinds that each name theirs (`kindOfDefinition`), in the order in which groups come first. */
export function groupsOf(
  // oxlint-disable-next-line typescript/no-explicit-any -- as above.
  kinds: readonly { readonly group: string; readonly kind: ServedKind<any> }[],
): ApiGroup[] {
  const names = [...new Set(kinds.map(({ group }) => group))];
  return names.map((name) => ({ name, kinds: kinds.filter(({ group }) => group === name).map(({ kind }) => kind) }));
}
