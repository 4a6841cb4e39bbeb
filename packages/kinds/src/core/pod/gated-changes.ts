import type { DeepReadonly } from "@coxswain/api";
import type { NodeAffinity, NodeSelectorTerm, PodSpec } from "@coxswain/api/core/v1";
import { type FieldError, fieldPath, invalid } from "@coxswain/apimachinery/field";
import { equalJson, wasGivenEmpty } from "@coxswain/apimachinery/json";
import { getOwn, ownEntries } from "@coxswain/apimachinery/own";
import { internalList, internalValue } from "../../internal-form/internal-form.js";

type Spec = DeepReadonly<PodSpec>;
type Term = DeepReadonly<NodeSelectorTerm>;

const termsPath = fieldPath(
  "spec",
  "affinity",
  "nodeAffinity",
  "requiredDuringSchedulingIgnoredDuringExecution",
  "nodeSelectorTerms",
);

const isGated = ({ schedulingGates }: Spec): boolean => (schedulingGates?.length ?? 0) > 0;

/** While gates hold a pod back from scheduling, a client may narrow down the nodes it can go to. */
export const checkGatedChanges = (next: Spec, old: Spec): FieldError[] =>
  isGated(old) ? [...checkNodeSelector(next, old), ...checkTerms(termsOf(next), termsOf(old) ?? [])] : [];

/** The new spec with these changes put back. */
export function withoutGatedChanges(next: Spec, old: Spec): Spec {
  if (!isGated(old)) return next;
  const spec = { ...next, nodeSelector: old.nodeSelector } as Spec;
  const [before, after] = [old.affinity?.nodeAffinity, next.affinity?.nodeAffinity];
  if (equalJson(before, after)) return spec;
  const others = Object.values({ ...next.affinity, nodeAffinity: undefined }).some((kind) => kind !== undefined);
  if (!old.affinity && !others) return { ...spec, affinity: undefined } as unknown as Spec;
  return { ...spec, affinity: { ...next.affinity, nodeAffinity: before } } as Spec;
}

function checkNodeSelector(spec: Spec, { nodeSelector: old }: Spec): FieldError[] {
  const next = spec.nodeSelector ?? (wasGivenEmpty(spec, "nodeSelector") ? {} : undefined);
  if (ownEntries(old).every(([key, value]) => getOwn(next, key) === value)) return [];
  return [
    invalid(
      fieldPath("spec", "nodeSelector"),
      next,
      "only additions to spec.nodeSelector are allowed (no mutations or deletions)",
    ),
  ];
}

const termsOf = ({ affinity }: Spec): readonly Term[] | null | undefined => requiredTerms(affinity?.nodeAffinity);
const requiredTerms = (affinity: DeepReadonly<NodeAffinity> | undefined) =>
  affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;

/** Terms are alternatives, so another one would widen the choice; more requirements in one narrow it. */
function checkTerms(next: readonly Term[] | null | undefined, old: readonly Term[]): FieldError[] {
  if (old.length === 0) return [];
  if (!next || old.length !== next.length) {
    return [
      invalid(
        termsPath,
        internalList("NodeSelectorTerm", next),
        "no additions/deletions to non-empty NodeSelectorTerms list are allowed",
      ),
    ];
  }
  return old.flatMap((before, i) => {
    const after = next[i] ?? {};
    return narrows(after, before)
      ? []
      : [
          invalid(
            termsPath.index(i),
            internalValue("NodeSelectorTerm", after),
            "only additions are allowed (no mutations or deletions)",
          ),
        ];
  });
}

function narrows(next: Term, old: Term): boolean {
  const lists = [
    [next.matchExpressions ?? [], old.matchExpressions ?? []],
    [next.matchFields ?? [], old.matchFields ?? []],
  ] as const;
  // An empty term matches nothing: whatever is added would widen it.
  if (lists.every(([, before]) => before.length === 0)) return lists.every(([after]) => after.length === 0);
  return lists.every(([after, before]) => equalJson(after.slice(0, before.length), before));
}
