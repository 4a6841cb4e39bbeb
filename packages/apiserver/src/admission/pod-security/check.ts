import type { DeepReadonly } from "@coxswain/api";
import type { Container, PodSpec } from "@coxswain/api/core/v1";
import type { ObjectMeta } from "@coxswain/apimachinery/meta";

/** A pod or a pod to be. */
export interface PodUnderCheck {
  readonly metadata: DeepReadonly<ObjectMeta>;
  readonly spec: DeepReadonly<PodSpec>;
}

/** Why a pod is not allowed: in short, and what of it. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** Undefined: nothing is wrong. */
export type CheckPod = (pod: PodUnderCheck) => Violation | undefined;

export interface Check {
  readonly id: string;
  readonly level: "baseline" | "restricted";
  /** Each from a minor version on, until the next. */
  readonly versions: readonly { readonly from: number; readonly check: CheckPod }[];
  /** The check of the baseline that this one is stricter than. */
  readonly overrides?: string;
}

export const containersOf = ({ spec }: PodUnderCheck): DeepReadonly<Container>[] => [
  ...(spec.initContainers ?? []),
  ...(spec.containers ?? []),
  ...((spec.ephemeralContainers ?? []) as DeepReadonly<Container>[]),
];

export const namesOf = (pod: PodUnderCheck, isBad: (container: DeepReadonly<Container>) => boolean): string[] =>
  containersOf(pod)
    .filter(isBad)
    .map(({ name }) => name);

export const plural = (one: string, many: string, count: number): string => (count === 1 ? one : many);

export const quoted = (items: readonly string[]): string => items.map((item) => `"${item}"`).join(", ");

export const sorted = (items: Iterable<string>): string[] => [...new Set(items)].sort();

export const theContainers = (names: readonly string[]): string =>
  `${plural("container", "containers", names.length)} ${quoted(names)}`;

/** Who sets what is wrong: the pod, some of its containers, or both. */
export const setters = (pod: boolean, containers: readonly string[]): string[] => [
  ...(pod ? ["pod"] : []),
  ...(containers.length > 0 ? [theContainers(containers)] : []),
];

export const onLinux =
  (check: CheckPod): CheckPod =>
  (pod) =>
    pod.spec.os?.name === "windows" ? undefined : check(pod);

/** A pod whose root is nobody on the node may do more. */
export const unlessOwnUsers =
  (check: CheckPod): CheckPod =>
  (pod) =>
    pod.spec.hostUsers === false ? undefined : check(pod);
