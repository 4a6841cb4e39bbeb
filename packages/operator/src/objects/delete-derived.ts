import { isControlledBy, type Owned } from "@coxswain/apimachinery/owner-references";
import { isNotFound } from "@coxswain/apimachinery/status";
import type { ClusterAccess } from "../access/index.js";
import { namespaceFor, type ObjectName, type ResourceDefinition } from "../resource/index.js";
import { assertCurrent, type MadeFrom, metadataOf, sourcesOf } from "./source.js";
import { readRecord, recordKey } from "./source-record.js";

/**
 * Deletes an object that `apply` or `createOrPatch` of this controller made, or that the owner controls, now that its sources do not ask
 * for it any more. Object and sources are read from the server: a deletion leaves nothing behind to compare with. Returns whether there
 * was one to delete; an object of somebody else stays.
 * @throws StaleSourceError where a source is newer than what was read
 * @throws StatusError Conflict where the object changed in this moment
 */
export async function deleteDerived<T extends object>(
  access: ClusterAccess,
  resource: ResourceDefinition<T>,
  name: ObjectName,
  madeFrom: MadeFrom,
): Promise<boolean> {
  const present = await access.live.get(resource, name);
  if (present === undefined) return false;
  const { uid = "", resourceVersion = "" } = metadataOf(present);
  const isOwned = madeFrom.owner !== undefined && isControlledBy(present as Owned, madeFrom.owner.object as Owned);
  if (!isOwned && readRecord(present, recordKey(access.fieldManager)) === undefined) return false;
  for (const source of sourcesOf(madeFrom)) await assertCurrent(access, source);
  try {
    await access
      .resource(resource, namespaceFor(resource, name))
      .delete(name.name, { preconditions: { uid, resourceVersion }, propagationPolicy: "Background" });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
