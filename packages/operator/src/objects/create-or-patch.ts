import { cloneJson } from "@coxswain/apimachinery/json";
import { createMergePatch } from "@coxswain/apimachinery/patch";
import type { CachedObject } from "@coxswain/client/informers";
import type { ClusterAccess } from "../access/index.js";
import { namespaceFor, type ObjectName, type ResourceDefinition } from "../resource/index.js";
import { setControllerReference } from "./controller-reference.js";
import { type MadeFrom, metadataOf } from "./source.js";
import { SourceGuard } from "./source-guard.js";

/** controller-runtime's OperationResult. */
export type Operation = "created" | "updated" | "updatedStatus" | "updatedStatusOnly" | "unchanged";

type Part = Record<string, unknown>;

/**
 * Reads the object from the cache, lets `change` work on a copy, and sends what differs: a creation, a patch, a patch of the status, or
 * nothing. Patches name the version that was read. `change` must not set name or namespace.
 *
 * With `owner` or `from`, what was made from a newer source is not replaced, as with `apply`; `from: []` is for a change that takes
 * nothing from other objects.
 * @throws StaleSourceError where something newer is there
 * @throws StatusError Conflict where the object changed since it was read, AlreadyExists where it was made since
 */
export async function createOrPatch<T extends object>(
  access: ClusterAccess,
  resource: ResourceDefinition<T>,
  name: ObjectName,
  change: (object: T) => void | Promise<void>,
  madeFrom: MadeFrom,
): Promise<{ readonly operation: Operation; readonly object: T }> {
  const client = access.resource(resource, namespaceFor(resource, name));
  const { fieldManager } = access;
  const guard = new SourceGuard(access, { madeFrom, fieldManager });
  const before = (await access.get(resource, name)) as T | undefined;
  const changed = before === undefined ? ({ metadata: nameIn(resource, name) } as T) : cloneJson(before);
  await change(changed);
  checkName(resource, changed, name);
  const wanted = madeFrom.owner ? setControllerReference(changed, madeFrom.owner) : changed;
  if (before !== undefined && guard.isSame(before) && !differs(before, wanted))
    return { operation: "unchanged", object: before };
  await guard.assertNotOlder(before);
  const after = withAnnotations(wanted, guard.recordFor(undefined));
  if (before === undefined) return { operation: "created", object: await client.create(after, { fieldManager }) };

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

const differs = (a: object, b: object): boolean => Object.keys(createMergePatch(a as Part, b as Part)).length > 0;

function withAnnotations<T extends object>(object: T, annotations: Readonly<Record<string, string>>): T {
  if (Object.keys(annotations).length === 0) return object;
  const metadata = metadataOf(object);
  return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } } };
}

function checkName({ scope, kind }: ResourceDefinition<object>, object: object, wanted: ObjectName): void {
  const { name, namespace } = (object as CachedObject).metadata ?? {};
  if (name === wanted.name && (scope === "Cluster" || (namespace ?? "") === (wanted.namespace ?? ""))) return;
  throw new Error(`the change of ${kind} ${wanted.name} must not mutate object name or namespace`);
}
