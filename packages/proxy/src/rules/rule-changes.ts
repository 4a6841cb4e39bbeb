import type { Chain, Container } from "./element.js";

/** The difference between two states of a table. */
export interface RuleChanges {
  readonly elements: readonly ElementChange[];
  /** New sets of clients, or such with another time-out. */
  readonly addedSets: ReadonlyMap<string, number>;
  readonly removedSets: readonly string[];
  /** Chains that are new or have other rules, in an order in which each finds what it goes to. */
  readonly chains: readonly Chain[];
  /** Chains that nothing goes to any more: emptied now. */
  readonly emptied: readonly string[];
  /** Chains that were emptied by an earlier transaction: kernels before 6.2 refuse to delete them in the same one. */
  readonly deleted: readonly string[];
}

export interface ElementChange {
  readonly container: Container;
  readonly key: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export const isEmpty = ({ elements, addedSets, removedSets, chains, emptied, deleted }: RuleChanges): boolean =>
  elements.length + addedSets.size + removedSets.length + chains.length + emptied.length + deleted.length === 0;
