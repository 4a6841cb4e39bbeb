import type { DeepReadonly } from "@coxswain/api/types";
import { createMergePatch } from "@coxswain/apimachinery/patch";
import type { CachedObject } from "@coxswain/client/informers";
import type { ClusterAccess } from "../access/index.js";
import { nameOf, namespaceFor, type ResourceDefinition } from "../resource/index.js";

/** The type of a kind's status. */
export type StatusOf<T> = T extends { status?: infer S } ? NonNullable<S> : never;

/**
 * Makes `status` the status of the object: a merge patch of the status subresource with what differs from the object that was read.
 * Sends nothing where nothing does. The patch names the version that was read, so it never writes over a newer state.
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
