import type { ResourceClaim as ApiClaim } from "@coxswain/api/resource/v1";
import { formatTime } from "@coxswain/apimachinery/time";
import type { Client } from "@coxswain/client";
import { retryOnConflict } from "@coxswain/client/retry";
import type { Runtime } from "@coxswain/runtime";
import type { AllocationResult } from "../../devices/allocation-result.js";
import type { ResourceClaim } from "../../framework/cluster-objects.js";
import { namespaceOf, type Pod, uidOf } from "../../pod/objects.js";

const claimFinalizer = "resource.kubernetes.io/delete-protection";

export interface BindClaimInput {
  readonly client: Client;
  readonly runtime: Runtime;
  readonly pod: Pod;
  readonly signal: AbortSignal;
}

/** Writes the allocation, if there is a new one, and that the pod uses the claim. Answers the claim as the server has it then. */
export function bindClaim(
  claim: ResourceClaim,
  allocation: AllocationResult | undefined,
  { client, runtime, pod, signal }: BindClaimInput,
): Promise<ResourceClaim> {
  const claims = client.resource.v1.resourceclaims(namespaceOf(pod));
  const key = `${claim.metadata?.namespace}/${claim.metadata?.name}`;
  let known: ApiClaim | undefined = structuredClone(claim) as ApiClaim;
  return retryOnConflict(
    async () => {
      let current = known ?? (await claims.get(claim.metadata?.name ?? "", { signal }));
      known = undefined;
      if (current.metadata?.deletionTimestamp !== undefined)
        throw new Error(`claim ${key} got deleted in the meantime`);
      if (allocation) {
        if (current.status?.allocation) throw new Error(`claim ${key} got allocated elsewhere in the meantime`);
        const finalizers = current.metadata?.finalizers ?? [];
        if (!finalizers.includes(claimFinalizer)) {
          const metadata = { ...current.metadata, finalizers: [...finalizers, claimFinalizer] };
          current = await claims.update({ ...current, metadata }, { signal });
        }
      }
      const allocated = (allocation ?? current.status?.allocation) as NonNullable<ApiClaim["status"]>["allocation"];
      if (allocated === undefined) throw new Error(`claim ${key} got deallocated elsewhere in the meantime`);
      return claims.updateStatus(
        {
          ...current,
          status: {
            ...current.status,
            allocation: {
              ...allocated,
              allocationTimestamp: allocated.allocationTimestamp ?? formatTime(runtime.clock.now()),
            },
            reservedFor: [
              ...(current.status?.reservedFor ?? []),
              { resource: "pods", name: pod.metadata?.name ?? "", uid: uidOf(pod) },
            ],
          },
        },
        { signal },
      );
    },
    { signal, runtime },
  );
}

/** A claim that was made for the extended resources of a pod goes with its finalizer. */
export async function deleteClaim(
  claim: ResourceClaim,
  { client, runtime }: Pick<BindClaimInput, "client" | "runtime">,
): Promise<void> {
  const { namespace = "", name = "" } = claim.metadata ?? {};
  const claims = client.resource.v1.resourceclaims(namespace);
  await retryOnConflict(
    async () => {
      const current = await claims.get(name);
      const finalizers = (current.metadata?.finalizers ?? []).filter((finalizer) => finalizer !== claimFinalizer);
      await claims.update({ ...current, metadata: { ...current.metadata, finalizers } });
    },
    { runtime },
  );
  await claims.delete(name);
}

/** The pod no longer uses the claim. */
export const releaseClaim = (client: Client, claim: ResourceClaim, pod: Pod): Promise<unknown> =>
  client.resource.v1
    .resourceclaims(namespaceOf(pod))
    .subresource<object>("status")
    .patch(claim.metadata?.name ?? "", {
      strategic: {
        metadata: { uid: claim.metadata?.uid },
        status: { reservedFor: [{ $patch: "delete", uid: uidOf(pod) }] },
      } as Readonly<Record<string, unknown>> as never,
    });
