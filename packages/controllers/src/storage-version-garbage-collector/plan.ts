import type { DeepReadonly } from "@coxswain/api";
import type {
  StorageVersion,
  StorageVersionCondition,
  StorageVersionStatus,
} from "@coxswain/api/apiserverinternal/v1alpha1";
import type { Lease } from "@coxswain/api/coordination/v1";
import { getOwn } from "@coxswain/apimachinery/own";

type CachedVersion = DeepReadonly<StorageVersion>;

/** Whether the lease is one by which an API server shows that it runs. */
export const isIdentityLease = ({ metadata }: DeepReadonly<Lease>): boolean =>
  metadata?.namespace === "kube-system" &&
  getOwn(metadata.labels, "apiserver.kubernetes.io/identity") === "kube-apiserver";

export type VersionPlan =
  | { readonly kind: "keep" }
  | { readonly kind: "delete" }
  | { readonly kind: "update"; readonly status: StorageVersionStatus };

/** Pure: the versions of API servers that run no more are taken out; an object without any is deleted. */
export function planVersion(
  object: CachedVersion,
  { isRunning, now }: { readonly isRunning: (server: string) => boolean; readonly now: string },
): VersionPlan {
  const before = object.status?.storageVersions ?? [];
  const left = before.filter(({ apiServerID }) => isRunning(apiServerID ?? ""));
  if (left.length === before.length) return { kind: "keep" };
  if (left.length === 0) return { kind: "delete" };
  const common = commonVersion(left.map(({ encodingVersion }) => encodingVersion ?? ""));
  const { commonEncodingVersion: old, conditions, ...status } = (object.status ?? {}) as StorageVersionStatus;
  return {
    kind: "update",
    status: {
      ...status,
      storageVersions: left as Required<StorageVersionStatus>["storageVersions"],
      ...(common !== undefined && { commonEncodingVersion: common }),
      conditions: withCondition(conditions ?? [], {
        common,
        hasMoved: old !== undefined && common !== undefined && old !== common,
        observedGeneration: object.metadata?.generation ?? 0,
        now,
      }),
    },
  };
}

const commonVersion = (versions: readonly string[]): string | undefined =>
  versions.every((version) => version === versions[0]) ? versions[0] : undefined;

function withCondition(
  conditions: readonly StorageVersionCondition[],
  about: { common: string | undefined; hasMoved: boolean; observedGeneration: number; now: string },
): StorageVersionCondition[] {
  const { common, hasMoved, observedGeneration, now } = about;
  const type = "AllEncodingVersionsEqual";
  const before = conditions.find((condition) => condition.type === type);
  const status = common === undefined ? "False" : "True";
  const isSame = before?.status === status && !hasMoved;
  const condition: StorageVersionCondition = {
    type,
    status,
    observedGeneration,
    lastTransitionTime: isSame ? (before?.lastTransitionTime ?? now) : now,
    reason: common === undefined ? "CommonEncodingVersionUnset" : "CommonEncodingVersionSet",
    message: common === undefined ? "Common encoding version unset" : "Common encoding version set",
  };
  return before ? conditions.map((each) => (each === before ? condition : each)) : [...conditions, condition];
}
