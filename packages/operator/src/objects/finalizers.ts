import type { DeepReadonly } from "@coxswain/api/types";
import { isNotFound } from "@coxswain/apimachinery/status";
import { hasFinalizer, withFinalizer, withoutFinalizer } from "@coxswain/client/controller";
import type { CachedObject } from "@coxswain/client/informers";
import type { ClusterAccess } from "../access/index.js";
import { nameOf, namespaceFor, type ResourceDefinition } from "../resource/index.js";

type Finalized = CachedObject & {
  readonly metadata?: { readonly finalizers?: readonly string[]; readonly deletionTimestamp?: string };
};

/** Whether the object is being deleted and waits for its finalizers. */
export const isBeingDeleted = (object: object): boolean =>
  (object as Finalized).metadata?.deletionTimestamp !== undefined;

/**
 * Puts the finalizer on the object, unless it has it or is being deleted, when the server would refuse it. Returns the object as it is
 * then. Nobody else's finalizer is lost: the patch names the version that was read. @throws StatusError Conflict for an older one
 */
export async function ensureFinalizer<T extends object>(
  access: ClusterAccess,
  resource: ResourceDefinition<T>,
  object: DeepReadonly<T>,
  finalizer: string,
): Promise<DeepReadonly<T>> {
  const finalized = object as Finalized;
  if (hasFinalizer(finalized, finalizer) || isBeingDeleted(object)) return object;
  return patchFinalizers(access, resource, object, withFinalizer(finalized, finalizer));
}

/**
 * Takes the finalizer off the object once what it stands for is cleaned up; the last one lets a deleted object go.
 * An object that is gone already is what was wanted. @throws StatusError Conflict where it changed since it was read
 */
export async function removeFinalizer<T extends object>(
  access: ClusterAccess,
  resource: ResourceDefinition<T>,
  object: DeepReadonly<T>,
  finalizer: string,
): Promise<void> {
  const finalized = object as Finalized;
  if (!hasFinalizer(finalized, finalizer)) return;
  try {
    await patchFinalizers(access, resource, object, withoutFinalizer(finalized, finalizer));
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function patchFinalizers<T extends object>(
  access: ClusterAccess,
  resource: ResourceDefinition<T>,
  object: DeepReadonly<T>,
  finalizers: readonly string[],
): Promise<DeepReadonly<T>> {
  const { uid, resourceVersion } = (object as CachedObject).metadata ?? {};
  const name = nameOf(object as CachedObject);
  const patch = { metadata: { uid, resourceVersion, finalizers } };
  const client = access.resource(resource, namespaceFor(resource, name));
  const written = await client.patch(name.name, { merge: patch as never }, { fieldManager: access.fieldManager });
  return written as DeepReadonly<T>;
}
