import type { DeepReadonly } from "@coxswain/api";
import type { Node, NodeSelectorRequirement, NodeSelectorTerm, PodSpec } from "@coxswain/api/core/v1";
import { getOwn, ownEntries } from "@coxswain/apimachinery/own";
import { parseInteger } from "./tolerations.js";

/** Pure: whether the pod may run on the node by its nodeSelector and its required node affinity. */
export function matchesNode(spec: DeepReadonly<PodSpec> | undefined, node: DeepReadonly<Node>): boolean {
  const labels = node.metadata?.labels;
  if (!ownEntries(spec?.nodeSelector).every(([key, value]) => getOwn(labels, key) === value)) return false;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || required.nodeSelectorTerms.some((term) => matchesTerm(term, node));
}

/** A term without requirements matches nothing. */
function matchesTerm(term: DeepReadonly<NodeSelectorTerm>, { metadata }: DeepReadonly<Node>): boolean {
  const { matchExpressions = [], matchFields = [] } = term;
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  return (
    matchExpressions.every((each) => matchesRequirement(each, getOwn(metadata?.labels, each.key))) &&
    matchFields.every((each) => each.key === "metadata.name" && matchesField(each, metadata?.name ?? ""))
  );
}

/** Of fields only equality with one value can be asked for. */
function matchesField({ operator, values = [] }: DeepReadonly<NodeSelectorRequirement>, name: string): boolean {
  if (values.length !== 1) return false;
  return operator === "In" ? values[0] === name : operator === "NotIn" ? values[0] !== name : false;
}

function matchesRequirement(
  { operator, values = [] }: DeepReadonly<NodeSelectorRequirement>,
  value: string | undefined,
): boolean {
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
    case "Lt": {
      const [limit, actual] = [parseInteger(values[0]), parseInteger(value)];
      if (limit === undefined || actual === undefined) return false;
      return operator === "Gt" ? actual > limit : actual < limit;
    }
    default:
      return false;
  }
}
