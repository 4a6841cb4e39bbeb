import type { DeepReadonly } from "@coxswain/api/types";
import { createMergePatch } from "@coxswain/apimachinery/patch";
import type { CachedObject } from "@coxswain/client/informers";
import type { ClusterAccess } from "../access/index.js";
import { nameOf, namespaceFor, type ResourceDefinition } from "../resource/index.js";
import { staleSource } from "./stale-source-error.js";

/** The type of a kind's status. */
export type StatusOf<T> = T extends { status?: infer S } ? NonNullable<S> : never;

/**
 * Makes `status` the status of the object: a merge patch of the status subresource with what differs from the object that was read.
 * Sends nothing where nothing does. The patch names the version that was read, so it never writes over a newer state.
 * @throws StaleSourceError where an `observedGeneration`, of the status or of a condition, would go back
 * @throws StatusError Conflict where the object changed since; the next try reads the new state
 */
export async function patchStatus<T extends object>(
  access: ClusterAccess,
  resource: ResourceDefinition<T>,
  object: DeepReadonly<T>,
  status: DeepReadonly<StatusOf<T>>,
): Promise<DeepReadonly<T>> {
  const before = ((object as { status?: object }).status ?? {}) as Record<string, unknown>;
  const difference = createMergePatch(before, status as Record<string, unknown>);
  if (Object.keys(difference).length === 0) return object;
  refuseOlderGeneration(resource.kind, before, status as Observed);
  const { uid, resourceVersion } = (object as CachedObject).metadata ?? {};
  const name = nameOf(object as CachedObject);
  const written = await access
    .resource(resource, namespaceFor(resource, name))
    .subresource<T>("status")
    .patch(
      name.name,
      { merge: { metadata: { uid, resourceVersion }, status: difference } as never },
      { fieldManager: access.fieldManager },
    );
  return written as DeepReadonly<T>;
}

interface Observed {
  readonly type?: string;
  readonly observedGeneration?: number;
  readonly conditions?: readonly Observed[];
}

/** What was computed elsewhere from an older object may be written to a newer one that was read for the purpose. */
function refuseOlderGeneration(kind: string, before: Observed, after: Observed): void {
  const conditionsBefore = new Map((before.conditions ?? []).map((each) => [each.type, each]));
  const pairs: [string, Observed | undefined, Observed][] = [["the status", before, after]];
  for (const each of after.conditions ?? [])
    pairs.push([`the condition ${each.type}`, conditionsBefore.get(each.type), each]);
  for (const [what, old, next] of pairs)
    if ((next.observedGeneration ?? Infinity) < (old?.observedGeneration ?? 0))
      throw staleSource(
        `${what} of the ${kind} is of generation ${old?.observedGeneration}, the new one of ${next.observedGeneration}`,
      );
}
