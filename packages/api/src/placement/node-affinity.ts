import {
  createRequirement,
  type LabelOperator,
  type LabelRequirement,
  type Selector,
  SelectorError,
  selectorFromLabels,
  selectorOf,
} from "@coxswain/apimachinery/selector";
import type * as core from "../gen/types/core-v1.js";
import type { DeepReadonly } from "../types/index.js";

type Node = DeepReadonly<core.Node>;
type NodeSelector = DeepReadonly<core.NodeSelector>;
type NodeSelectorTerm = DeepReadonly<core.NodeSelectorTerm>;
type PreferredSchedulingTerm = DeepReadonly<core.PreferredSchedulingTerm>;

/** Tests nodes. */
export type NodeMatch = (node: Node) => boolean;

const operators: ReadonlyMap<string, LabelOperator> = new Map([
  ["In", "in"],
  ["NotIn", "notin"],
  ["Exists", "exists"],
  ["DoesNotExist", "!"],
  ["Gt", "gt"],
  ["Lt", "lt"],
]);

/** A term that cannot be parsed matches no node; an empty one neither. One of the terms must match. */
export function compileNodeSelector(selector: NodeSelector): NodeMatch {
  const terms: NodeMatch[] = [];
  for (const term of selector.nodeSelectorTerms ?? []) {
    const match = isEmptyTerm(term) ? undefined : compileTermOrNothing(term);
    if (match) terms.push(match);
  }
  const [only] = terms;
  if (terms.length === 1 && only) return only;
  return (node) => terms.some((match) => match(node));
}

export interface PreferredTerm {
  readonly matches: NodeMatch;
  readonly weight: number;
}

/** @throws SelectorError for a term that cannot be parsed */
export const compilePreferredTerms = (terms: readonly PreferredSchedulingTerm[]): readonly PreferredTerm[] =>
  terms
    .filter(({ weight, preference }) => weight !== 0 && !isEmptyTerm(preference))
    .map(({ weight, preference }) => ({ weight, matches: compileTerm(preference) }));

export function preferenceOf(terms: readonly PreferredTerm[], node: Node): number {
  let sum = 0;
  for (const { matches, weight } of terms) if (matches(node)) sum += weight;
  return sum;
}

/** What spec.nodeSelector and the required node affinity of a pod ask of a node; undefined where they ask nothing. */
export function requiredNodeMatch(pod: { readonly spec?: DeepReadonly<core.PodSpec> }): NodeMatch | undefined {
  const labels = pod.spec?.nodeSelector;
  const bySelector: Selector | undefined =
    labels && Object.keys(labels).length > 0 ? selectorFromLabels(labels) : undefined;
  const required = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const byAffinity = required && compileNodeSelector(required);
  if (bySelector === undefined) return byAffinity;
  if (byAffinity === undefined) return (node) => bySelector.matches(node.metadata?.labels);
  return (node) => bySelector.matches(node.metadata?.labels) && byAffinity(node);
}

/** Whether the pod may run on the node by its nodeSelector and its required node affinity. */
export const matchesNode = (spec: DeepReadonly<core.PodSpec> | undefined, node: Node): boolean =>
  requiredNodeMatch(spec ? { spec } : {})?.(node) ?? true;

const isEmptyTerm = (term: NodeSelectorTerm): boolean =>
  (term.matchExpressions?.length ?? 0) === 0 && (term.matchFields?.length ?? 0) === 0;

function compileTermOrNothing(term: NodeSelectorTerm): NodeMatch | undefined {
  try {
    return compileTerm(term);
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

function compileTerm(term: NodeSelectorTerm): NodeMatch {
  const requirements: LabelRequirement[] = [];
  for (const { key, operator, values } of term.matchExpressions ?? []) {
    const known = operators.get(operator);
    if (known === undefined) throw new SelectorError(`"${operator}" is not a valid selector operator`);
    requirements.push(createRequirement(key, known, values ?? []));
  }
  const labels = requirements.length > 0 ? selectorOf(requirements) : undefined;
  const fields = (term.matchFields ?? []).map(({ key, operator, values = [] }) => {
    if (values.length !== 1 || (operator !== "In" && operator !== "NotIn"))
      throw new SelectorError("a field is compared with one value, by In or NotIn");
    return { isName: key === "metadata.name", wanted: values[0] ?? "", equal: operator === "In" };
  });
  return (node) => {
    if (labels && !labels.matches(node.metadata?.labels)) return false;
    const name = node.metadata?.name;
    // Volumes ask for labels only: there is no name to compare with.
    if (name === undefined) return true;
    for (const { isName, wanted, equal } of fields) if (((isName ? name : "") === wanted) !== equal) return false;
    return true;
  };
}
