import { cloneJson } from "@coxswain/apimachinery/json";
import { createMergePatch } from "@coxswain/apimachinery/patch";
import type { CachedObject } from "@coxswain/client/informers";
import type { ClusterAccess } from "../access/index.js";
import { namespaceFor, type ObjectName, type ResourceDefinition } from "../resource/index.js";

/** controller-runtime's OperationResult. */
export type Operation = "created" | "updated" | "updatedStatus" | "updatedStatusOnly" | "unchanged";

type Part = Record<string, unknown>;

/**
 * Reads the object from the cache, lets `change` work on a copy, and sends what differs: a creation, a patch, a patch of the status, or
 * nothing. Patches name the version that was read. `change` must not set name or namespace.
 * @throws StatusError Conflict where the object changed since it was read, AlreadyExists where it was made since
 */
export async function createOrPatch<T extends object>(
  access: ClusterAccess,
  resource: ResourceDefinition<T>,
  name: ObjectName,
  change: (object: T) => void | Promise<void>,
): Promise<{ readonly operation: Operation; readonly object: T }> {
  const client = access.resource(resource, namespaceFor(resource, name));
  const { fieldManager } = access;
  const before = (await access.get(resource, name)) as T | undefined;
  if (before === undefined) {
    const made = { metadata: nameIn(resource, name) } as T;
    await change(made);
    checkName(resource, made, name);
    return { operation: "created", object: await client.create(made, { fieldManager }) };
  }
  const after = cloneJson(before);
  await change(after);
  checkName(resource, after, name);

  let object = before;
  const main = createMergePatch(withoutStatus(before), withoutStatus(after));
  const status = createMergePatch({ ...statusOf(before) }, { ...statusOf(after) });
  const isChanged = Object.keys(main).length > 0;
  const isStatusChanged = Object.keys(status).length > 0;
  if (isChanged) object = await client.patch(name.name, { merge: atVersion(before, main) as never }, { fieldManager });
  if (isStatusChanged)
    object = await client
      .subresource<T>("status")
      .patch(name.name, { merge: atVersion(object, { status }) as never }, { fieldManager });
  if (isChanged) return { operation: isStatusChanged ? "updatedStatus" : "updated", object };
  return { operation: isStatusChanged ? "updatedStatusOnly" : "unchanged", object };
}

const nameIn = ({ scope }: ResourceDefinition<object>, { namespace, name }: ObjectName): CachedObject["metadata"] =>
  scope === "Cluster" || !namespace ? { name } : { namespace, name };

const statusOf = (object: object): Part => ((object as { status?: Part }).status ?? {}) as Part;

function withoutStatus(object: object): Part {
  const { status: _, ...rest } = object as Part;
  return rest;
}

function atVersion(object: object, patch: Part): Part {
  const { uid, resourceVersion } = (object as CachedObject).metadata ?? {};
  return { ...patch, metadata: { ...(patch["metadata"] as Part | undefined), uid, resourceVersion } };
}

function checkName({ scope, kind }: ResourceDefinition<object>, object: object, wanted: ObjectName): void {
  const { name, namespace } = (object as CachedObject).metadata ?? {};
  if (name === wanted.name && (scope === "Cluster" || (namespace ?? "") === (wanted.namespace ?? ""))) return;
  throw new Error(`the change of ${kind} ${wanted.name} must not mutate object name or namespace`);
}
