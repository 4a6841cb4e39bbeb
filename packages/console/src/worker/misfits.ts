import { getOwn } from "@coxswain/apimachinery/own";
import { quantityMilliValue } from "@coxswain/apimachinery/quantity";
import type { RestClient } from "@coxswain/client";
import type { KubernetesValue, NodeMisfit, ObjectRef } from "../contract/messages.js";
import { listObjects } from "./list-objects.js";
import { readObject } from "./object-feed.js";

/** With more pods than this, what is free on each node is not summed up. */
const mostPods = 5000;

type Amounts = Readonly<Record<string, string>>;

/** For each node, why a pod that waits does not fit on it: what can be seen of the node and of the pods there. */
export async function readMisfits(rest: RestClient, ref: ObjectRef): Promise<NodeMisfit[]> {
  const running = "spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed";
  const [pod, nodes, pods] = await Promise.all([
    readObject(rest, ref, ""),
    listObjects(rest, "/api/v1/nodes"),
    listObjects(rest, "/api/v1/pods", [
      ["fieldSelector", running],
      ["limit", String(mostPods + 1)],
    ]).catch(() => undefined),
  ]);
  const there = (name: string | undefined) => pods?.filter(({ spec }) => spec?.nodeName === name) ?? [];
  return nodes.map((node) => ({
    node: node.metadata?.name ?? "",
    reasons: [
      ...unmetRules(pod, node),
      ...(pods === undefined || pods.length > mostPods ? [] : whatIsShort(pod, node, there(node.metadata?.name))),
    ],
  }));
}

interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
}

type Taint = Required<Pick<Toleration, "key" | "effect">> & Pick<Toleration, "value">;

/** Pure: taints, labels and affinity to nodes (`component-helpers/scheduling/corev1`). */
export function unmetRules({ spec = {} }: KubernetesValue, node: KubernetesValue): string[] {
  const tolerations: readonly Toleration[] = spec.tolerations ?? [];
  const cordon = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };
  const taints: readonly Taint[] = [...(node["spec"]?.taints ?? []), ...(node["spec"]?.unschedulable ? [cordon] : [])];
  const hard = taints.filter(({ effect }) => effect !== "PreferNoSchedule");
  const bad = hard.filter((taint) => !tolerations.some((toleration) => tolerates(toleration, taint)));
  const labels = { ...node.metadata?.labels };
  const lacking = Object.entries(spec.nodeSelector ?? {}).filter(([key, value]) => getOwn(labels, key) !== value);
  const terms: readonly { matchExpressions?: readonly Requirement[] }[] | undefined =
    spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const isDrawn =
    terms?.some(({ matchExpressions = [] }) => matchExpressions.every((one) => meets(labels, one))) ?? true;
  return [
    ...new Set(
      bad.map(({ key, value = "", effect }) => `its taint ${key}${value && `=${value}`}:${effect} is not tolerated`),
    ),
    ...lacking.map(([key, value]) => `it has no label ${key}=${String(value)}`),
    ...(isDrawn ? [] : ["its labels are not those of the pod's node affinity"]),
  ];
}

const tolerates = ({ key = "", operator = "Equal", value = "", effect = "" }: Toleration, taint: Taint): boolean =>
  (effect === "" || effect === taint.effect) &&
  (key === "" ? operator === "Exists" : key === taint.key) &&
  (operator === "Exists" || value === (taint.value ?? ""));

interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

function meets(labels: Readonly<Record<string, string>>, { key, operator, values = [] }: Requirement): boolean {
  const value = getOwn(labels, key);
  if (operator === "Exists") return value !== undefined;
  if (operator === "DoesNotExist") return value === undefined;
  if (operator === "NotIn") return value === undefined || !values.includes(value);
  if (operator === "In") return value !== undefined && values.includes(value);
  return operator === "Gt" ? Number(value) > Number(values[0]) : Number(value) < Number(values[0]);
}

/** Pure: resources of which less is free than the pod asks for. */
export function whatIsShort(pod: KubernetesValue, node: KubernetesValue, there: readonly KubernetesValue[]): string[] {
  const allocatable: Amounts = node["status"]?.allocatable ?? {};
  const wanted = requestsOf(pod);
  return [...wanted].flatMap(([name, amount]) => {
    const all = name in allocatable ? quantityMilliValue(getOwn(allocatable, name) ?? "0") : 0;
    const used = there.reduce((sum, other) => sum + (requestsOf(other).get(name) ?? 0), 0);
    return amount <= all - used
      ? []
      : [`${name}: ${amount / 1000} wanted, ${(all - used) / 1000} of ${all / 1000} free`];
  });
}

/** Thousandths. Containers together; those that run before them one after the other; and the pod itself. */
function requestsOf({ spec = {} }: KubernetesValue): Map<string, number> {
  const sums = new Map([["pods", 1000]]);
  const amountsOf = ({ resources }: { resources?: { requests?: Amounts } }) =>
    Object.entries(resources?.requests ?? {}).map(([name, text]) => [name, quantityMilliValue(text)] as const);
  for (const container of spec.containers ?? [])
    for (const [name, amount] of amountsOf(container)) sums.set(name, (sums.get(name) ?? 0) + amount);
  for (const container of spec.initContainers ?? [])
    for (const [name, amount] of amountsOf(container)) sums.set(name, Math.max(sums.get(name) ?? 0, amount));
  for (const [name, text] of Object.entries((spec.overhead ?? {}) as Amounts))
    sums.set(name, (sums.get(name) ?? 0) + quantityMilliValue(text));
  return sums;
}
