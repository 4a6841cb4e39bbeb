import { equalJson } from "@coxswain/apimachinery/json";
import { type OwnerReference, parseGroupVersion } from "@coxswain/apimachinery/meta";
import { NoMatchError, type RestMapper, type RestMapping } from "@coxswain/apimachinery/rest-mapper";
import { isConflict, isNotFound, isUnsupportedMediaType } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import type { MetadataClient, PartialObjectMetadata } from "@coxswain/client/resource";
import type { DeleteOptions } from "@coxswain/client/rest";
import { defaultBackoff, retryOnConflict } from "@coxswain/client/retry";
import type { Runtime } from "@coxswain/runtime";
import type { ObjectIdentity } from "./object-identity.js";

/** An object of the cluster names an owner of a namespaced kind: no lookup can ever find it. */
export class NamespacedOwnerError extends Error {
  constructor() {
    super("cluster-scoped objects cannot refer to namespaced owners");
    this.name = "NamespacedOwnerError";
  }
}

/** The state of objects on the server, and changes of it. Kinds that discovery does not list are a NoMatchError. */
export interface LiveObjects {
  mappingOf(kind: Pick<ObjectIdentity, "apiVersion" | "kind">): RestMapping;
  /** Undefined: there is none of that name. @throws NamespacedOwnerError */
  get(identity: ObjectIdentity): Promise<PartialObjectMetadata | undefined>;
  /**
   * Deletes the object if it has not changed since it was read as `seen`; a change of anything but its owners does not count,
   * or else an object that changes all the time would never go. @throws StatusError Conflict, NotFound
   */
  delete(
    identity: ObjectIdentity,
    seen: PartialObjectMetadata,
    propagationPolicy: NonNullable<DeleteOptions["propagationPolicy"]>,
  ): Promise<void>;
  /** Takes the references to these owners from the object. */
  removeOwners(identity: ObjectIdentity, uids: readonly string[]): Promise<void>;
  /** The references go on to exist and hold up no deletion any more. */
  unblockOwners(identity: ObjectIdentity, owners: readonly Readonly<OwnerReference>[]): Promise<void>;
  removeFinalizer(identity: ObjectIdentity, finalizer: string): Promise<void>;
}

export interface LiveObjectsOptions {
  readonly client: Client;
  /** Knows the kinds that are served now. */
  readonly mapper: () => RestMapper;
  /** For the waits after a conflict. */
  readonly runtime: Runtime;
}

export function createLiveObjects({ client, mapper, runtime }: LiveObjectsOptions): LiveObjects {
  const mappingOf: LiveObjects["mappingOf"] = ({ apiVersion, kind }) => {
    const groupVersion = parseGroupVersion(apiVersion);
    if (!groupVersion) throw new NoMatchError(`no matches for kind "${kind}" in version "${apiVersion}"`);
    return mapper().mapping({ group: groupVersion.group, kind }, groupVersion.version);
  };
  const accessTo = (identity: ObjectIdentity): MetadataClient => {
    const { resource, namespaced } = mappingOf(identity);
    if (namespaced && identity.namespace === "") throw new NamespacedOwnerError();
    return client.metadata(resource, namespaced ? identity.namespace : undefined);
  };
  const get: LiveObjects["get"] = async (identity) => {
    try {
      return await accessTo(identity).get(identity.name);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };
  return {
    mappingOf,
    get,
    delete: (identity, seen, propagationPolicy) =>
      deleteUnchanged(accessTo(identity), identity, seen, propagationPolicy),
    removeOwners: (identity, uids) =>
      patchOwners(
        accessTo(identity),
        identity,
        uids.map((uid) => ({ $patch: "delete", uid })),
        (owners) => owners.filter(({ uid }) => !uids.includes(uid)),
      ),
    unblockOwners: (identity, owners) =>
      patchOwners(
        accessTo(identity),
        identity,
        owners.filter(({ blockOwnerDeletion }) => blockOwnerDeletion).map(unblocked),
        (current) => current.map(unblocked),
      ),
    removeFinalizer: (identity, finalizer) =>
      retryOnConflict(
        async () => {
          const object = await get(identity);
          const { finalizers = [], resourceVersion } = object?.metadata ?? {};
          if (!finalizers.includes(finalizer)) return;
          const others = finalizers.filter((other) => other !== finalizer);
          await accessTo(identity).patch(identity.name, {
            merge: {
              metadata: {
                uid: identity.uid,
                ...(resourceVersion !== undefined && { resourceVersion }),
                finalizers: others.length > 0 ? others : null,
              },
            },
          });
        },
        { backoff: defaultBackoff, runtime },
      ),
  };
}

async function deleteUnchanged(
  access: MetadataClient,
  identity: ObjectIdentity,
  seen: PartialObjectMetadata,
  propagationPolicy: NonNullable<DeleteOptions["propagationPolicy"]>,
): Promise<void> {
  const { resourceVersion } = seen.metadata ?? {};
  const sameObject = { uid: identity.uid };
  const preconditions = resourceVersion === undefined ? sameObject : { ...sameObject, resourceVersion };
  try {
    await access.delete(identity.name, { propagationPolicy, preconditions });
  } catch (error) {
    if (!isConflict(error)) throw error;
    const { metadata } = await access.get(identity.name);
    const isOnlyTouched =
      metadata?.uid === identity.uid &&
      metadata.resourceVersion !== resourceVersion &&
      equalJson(metadata.ownerReferences, seen.metadata?.ownerReferences);
    if (!isOnlyTouched) throw error;
    await access.delete(identity.name, { propagationPolicy, preconditions: sameObject });
  }
}

/** Lists merge by uid in a strategic patch; custom resources take none, and get their list replaced whole. */
async function patchOwners(
  access: MetadataClient,
  identity: ObjectIdentity,
  strategic: readonly object[],
  replace: (owners: readonly OwnerReference[]) => OwnerReference[],
): Promise<void> {
  try {
    await access.patch(identity.name, { strategic: { metadata: { uid: identity.uid, ownerReferences: strategic } } });
  } catch (error) {
    if (!isUnsupportedMediaType(error)) throw error;
    const { metadata } = await access.get(identity.name);
    const ownerReferences = replace((metadata?.ownerReferences ?? []) as OwnerReference[]);
    await access.patch(identity.name, {
      merge: {
        metadata: {
          uid: identity.uid,
          ...(metadata?.resourceVersion !== undefined && { resourceVersion: metadata.resourceVersion }),
          ownerReferences: ownerReferences.length > 0 ? ownerReferences : null,
        },
      },
    });
  }
}

const unblocked = (reference: Readonly<OwnerReference>): OwnerReference => ({
  ...reference,
  blockOwnerDeletion: false,
});
