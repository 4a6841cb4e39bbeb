import { type Labels, labelSelectorFromObject, type Selector } from "@coxswain/apimachinery/selector";
import { namespaceOf, type Pod, type PodAffinityTerm, type WeightedPodAffinityTerm } from "./objects.js";

/** A term of pod affinity or anti-affinity, with its selectors compiled. */
export interface AffinityTerm {
  readonly namespaces: ReadonlySet<string>;
  readonly namespaceSelector: Selector;
  readonly selector: Selector;
  readonly topologyKey: string;
  /** Equal for terms that select the same pods. */
  readonly key: string;
}

export interface WeightedAffinityTerm extends AffinityTerm {
  readonly weight: number;
}

/** @throws SelectorError */
export const affinityTermsOf = (pod: Pod, terms: readonly PodAffinityTerm[] | undefined): readonly AffinityTerm[] =>
  terms === undefined || terms.length === 0 ? noTerms : terms.map((term) => compileTerm(pod, term));

/** @throws SelectorError */
export const weightedTermsOf = (
  pod: Pod,
  terms: readonly WeightedPodAffinityTerm[] | undefined,
): readonly WeightedAffinityTerm[] =>
  terms === undefined || terms.length === 0
    ? noTerms
    : terms.map(({ weight, podAffinityTerm }) => ({ ...compileTerm(pod, podAffinityTerm), weight }));

const noTerms: readonly never[] = [];

function compileTerm(pod: Pod, term: PodAffinityTerm): AffinityTerm {
  const given = term.namespaces ?? [];
  const names = given.length === 0 && term.namespaceSelector === undefined ? [namespaceOf(pod)] : given;
  const namespaceSelector = labelSelectorFromObject(term.namespaceSelector);
  const selector = labelSelectorFromObject(term.labelSelector);
  const { topologyKey } = term;
  const key = [[...names].sort().join(), textOf(namespaceSelector), textOf(selector), topologyKey].join(" | ");
  return { namespaces: new Set(names), namespaceSelector, selector, topologyKey, key };
}

/** One that selects nothing and one that selects everything have the same text otherwise. */
const textOf = (selector: Selector): string => (selector.nothing ? "!" : selector.toString());

/**
 * Whether the term selects the pod. `namespaceLabels` are those of the pod's namespace; undefined where the namespaces
 * that the term's selector selects are already among its names.
 */
export const termMatches = (term: AffinityTerm, pod: Pod, namespaceLabels: Labels): boolean =>
  (term.namespaces.has(namespaceOf(pod)) || term.namespaceSelector.matches(namespaceLabels)) &&
  term.selector.matches(pod.metadata?.labels);

/** Affinity holds only with pods that every term selects. */
export function allTermsMatch(terms: readonly AffinityTerm[], pod: Pod): boolean {
  if (terms.length === 0) return false;
  for (const term of terms) if (!termMatches(term, pod, undefined)) return false;
  return true;
}

/** The term with the namespaces that its selector selects now among its names. */
export function resolveNamespaces<T extends AffinityTerm>(
  term: T,
  select: (selector: Selector) => readonly string[],
): T {
  const { namespaceSelector } = term;
  if (namespaceSelector.nothing || namespaceSelector.empty) return term;
  const selected = select(namespaceSelector);
  return {
    ...term,
    namespaces: new Set([...term.namespaces, ...selected]),
    key: `${term.key} | ${[...selected].sort().join()}`,
  };
}
