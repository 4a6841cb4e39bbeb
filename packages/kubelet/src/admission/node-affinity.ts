import type { Node, NodeSelectorRequirement, NodeSelectorTerm, PodSpec } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { getOwn, ownEntries } from "@coxswain/apimachinery/own";
import { type LabelOperator, selectorOf } from "@coxswain/apimachinery/selector";

/** Pure: whether nodeSelector and required node affinity admit the node. */
export function matchesNode(spec: DeepReadonly<PodSpec> | undefined, node: DeepReadonly<Node>): boolean {
  const labels = node.metadata?.labels;
  if (!ownEntries(spec?.nodeSelector).every(([key, value]) => getOwn(labels, key) === value)) return false;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || required.nodeSelectorTerms.some((term) => matchesTerm(term, node));
}

const operators: Readonly<Record<string, LabelOperator>> = {
  In: "in",
  NotIn: "notin",
  Exists: "exists",
  DoesNotExist: "!",
  Gt: "gt",
  Lt: "lt",
};

/** A term without requirements matches nothing. */
function matchesTerm(term: DeepReadonly<NodeSelectorTerm>, { metadata }: DeepReadonly<Node>): boolean {
  const { matchExpressions = [], matchFields = [] } = term;
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  return (
    matchesAll(matchExpressions, metadata?.labels ?? {}) &&
    matchesAll(matchFields, { "metadata.name": metadata?.name ?? "" })
  );
}

const matchesAll = (
  requirements: readonly DeepReadonly<NodeSelectorRequirement>[],
  labels: Readonly<Record<string, string>>,
): boolean =>
  selectorOf(
    requirements.map(({ key, operator, values = [] }) => ({ key, operator: operators[operator] ?? "in", values })),
  ).matches(labels);
