import type { DeepReadonly } from "@coxswain/api";
import type { PodTemplateSpec } from "@coxswain/api/core/v1";
import { equalJson } from "@coxswain/apimachinery/json";
import { deleteOwn } from "@coxswain/apimachinery/own";
import { compareUtf8 } from "@coxswain/apimachinery/text";
import type { CachedReplicaSet } from "../replica-set/replica-sets-of-owner.js";
import { type CachedDeployment, replicasOf } from "./deployment-strategy.js";
import { revisionOf } from "./revision.js";

export const hashLabel = "pod-template-hash";

/** The labels without the hash that distinguishes ReplicaSets of one Deployment. */
export function withoutHash(labels: Readonly<Record<string, string>> | undefined): Record<string, string> {
  const rest = { ...labels };
  deleteOwn(rest, hashLabel);
  return rest;
}

export function equalIgnoringHash(
  a: DeepReadonly<PodTemplateSpec> | undefined,
  b: DeepReadonly<PodTemplateSpec> | undefined,
): boolean {
  const comparable = (template: DeepReadonly<PodTemplateSpec> | undefined): object => ({
    ...template,
    metadata: { ...template?.metadata, labels: withoutHash(template?.metadata?.labels) },
  });
  return equalJson(a?.spec, b?.spec) && equalJson(comparable(a), comparable(b));
}

/** Oldest first; of one age by name. */
export const byAge = (a: CachedReplicaSet, b: CachedReplicaSet): number =>
  compareUtf8(a.metadata?.creationTimestamp ?? "", b.metadata?.creationTimestamp ?? "") ||
  compareUtf8(a.metadata?.name ?? "", b.metadata?.name ?? "");

/** Oldest revision first. */
export function byRevision(a: CachedReplicaSet, b: CachedReplicaSet): number {
  const [first, second] = [revisionOf(a), revisionOf(b)];
  return first === undefined || second === undefined || first === second ? byAge(a, b) : first < second ? -1 : 1;
}

export interface FoundReplicaSets {
  /** The oldest one that has the Deployment's template. */
  readonly current: CachedReplicaSet | undefined;
  /** The others, oldest first. */
  readonly old: readonly CachedReplicaSet[];
}

export function findReplicaSets(deployment: CachedDeployment, all: readonly CachedReplicaSet[]): FoundReplicaSets {
  const sorted = [...all].sort(byAge);
  const current = sorted.find(({ spec }) => equalIgnoringHash(spec?.template, deployment.spec?.template));
  return { current, old: sorted.filter((replicaSet) => replicaSet !== current) };
}

/** Those that have pods, or ought to. */
export const activeOf = (replicaSets: readonly (CachedReplicaSet | undefined)[]): CachedReplicaSet[] =>
  replicaSets.filter((replicaSet) => replicaSet !== undefined).filter((replicaSet) => replicasOf(replicaSet) > 0);
