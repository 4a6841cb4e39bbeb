import type { DeepReadonly } from "@coxswain/api";
import type { DaemonSet } from "@coxswain/api/apps/v1";
import type { Node, PodSpec, PodTemplateSpec, Toleration } from "@coxswain/api/core/v1";
import { findUntolerated, matchesNode, type TolerationRules } from "@coxswain/api/placement";
import { cloneJson } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";
import type { CachedPod } from "../pods/pod-state.js";

/** A DaemonSet and a node as caches hold them. */
export type CachedDaemonSet = DeepReadonly<DaemonSet>;
export type CachedNode = DeepReadonly<Node>;

export const daemonSetKind = { group: "apps", version: "v1", kind: "DaemonSet" };
export const hashLabel = "controller-revision-hash";
const generationLabel = "pod-template-generation";
const generationAnnotation = "deprecated.daemonset.template.generation";

/** What a node may suffer from without losing its daemons. */
const toleratedTaints: readonly { readonly key: string; readonly effect: "NoExecute" | "NoSchedule" }[] = [
  { key: "node.kubernetes.io/not-ready", effect: "NoExecute" },
  { key: "node.kubernetes.io/unreachable", effect: "NoExecute" },
  { key: "node.kubernetes.io/disk-pressure", effect: "NoSchedule" },
  { key: "node.kubernetes.io/memory-pressure", effect: "NoSchedule" },
  { key: "node.kubernetes.io/pid-pressure", effect: "NoSchedule" },
  { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" },
];
const networkTaint = { key: "node.kubernetes.io/network-unavailable", effect: "NoSchedule" } as const;

/** The tolerations of the template and those that every daemon has; one that differs only in its seconds is replaced. */
export function daemonTolerations(spec: DeepReadonly<PodSpec> | undefined): Toleration[] {
  const tolerations: Toleration[] = [...(spec?.tolerations ?? [])].map((each) => ({ ...each }));
  for (const taint of [...toleratedTaints, ...(spec?.hostNetwork ? [networkTaint] : [])]) {
    const added: Toleration = { key: taint.key, operator: "Exists", effect: taint.effect };
    const at = tolerations.findIndex(
      ({ key, operator, effect, value }) =>
        key === added.key && operator === added.operator && effect === added.effect && !value,
    );
    tolerations[at < 0 ? tolerations.length : at] = added;
  }
  return tolerations;
}

/** Pure: whether a node should get the daemon, and whether one that is there may stay. */
export function fitsNode(
  { spec }: CachedDaemonSet,
  node: CachedNode,
  options: TolerationRules,
): { readonly shouldRun: boolean; readonly mayStay: boolean } {
  const template = spec?.template.spec;
  const isOther = Boolean(template?.nodeName) && template?.nodeName !== node.metadata?.name;
  if (isOther || !matchesNode(template, node)) return { shouldRun: false, mayStay: false };
  const tolerations = daemonTolerations(template);
  const { taints } = node.spec ?? {};
  const allows = (...effects: readonly string[]): boolean =>
    !findUntolerated(
      (taints ?? []).filter(({ effect }) => effects.includes(effect)),
      tolerations,
      options,
    );
  const shouldRun = allows("NoExecute", "NoSchedule");
  return { shouldRun, mayStay: shouldRun || allows("NoExecute") };
}

/** The generation of the template, for pods made before there were hashes. */
export function templateGeneration({ metadata }: CachedDaemonSet): string | undefined {
  const text = getOwn(metadata?.annotations, generationAnnotation);
  return text !== undefined && /^-?\d{1,18}$/.test(text) ? String(Number(text)) : undefined;
}

/** The pod has the template that it should have. */
export function isUpdated(daemonSet: CachedDaemonSet, hash: string, { metadata }: CachedPod): boolean {
  const generation = templateGeneration(daemonSet);
  return (
    (hash !== "" && getOwn(metadata?.labels, hashLabel) === hash) ||
    (generation !== undefined && getOwn(metadata?.labels, generationLabel) === generation)
  );
}

/** The template of the pod for one node. The scheduler binds it: its affinity admits that node alone. */
export function daemonTemplate(daemonSet: CachedDaemonSet, hash: string, node: string): PodTemplateSpec {
  const template = cloneJson(daemonSet.spec?.template ?? {}) as PodTemplateSpec;
  const generation = templateGeneration(daemonSet);
  const { spec = { containers: [] } } = template;
  return {
    ...template,
    metadata: {
      ...template.metadata,
      labels: {
        ...template.metadata?.labels,
        ...(generation !== undefined && { [generationLabel]: generation }),
        ...(hash !== "" && { [hashLabel]: hash }),
      },
    },
    spec: {
      ...spec,
      tolerations: daemonTolerations(spec),
      affinity: {
        ...spec.affinity,
        nodeAffinity: {
          ...spec.affinity?.nodeAffinity,
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values: [node] }] }],
          },
        },
      },
    },
  };
}

/** The node that the pod is on or is meant for. */
export function targetNode({ spec }: CachedPod): string | undefined {
  if (spec?.nodeName) return spec.nodeName;
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const field = terms
    .flatMap(({ matchFields = [] }) => matchFields)
    .find(({ key, operator }) => key === "metadata.name" && operator === "In");
  return field?.values?.length === 1 ? field.values[0] : undefined;
}
