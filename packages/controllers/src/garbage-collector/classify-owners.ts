import type { OwnerReference } from "@coxswain/apimachinery/meta";
import type { PartialObjectMetadata } from "@coxswain/client/resource";
import type { AbsentOwners } from "./absent-owners.js";
import { foregroundFinalizer } from "./dependency-graph.js";
import { type LiveObjects, NamespacedOwnerError } from "./live-objects.js";
import { identityOfReference, type ObjectIdentity } from "./object-identity.js";

/** The owners of an object by what they mean for it. */
export interface ClassifiedOwners {
  /** They exist and keep it. */
  readonly solid: readonly OwnerReference[];
  /** They do not exist. */
  readonly dangling: readonly OwnerReference[];
  /** They exist and wait in a foreground deletion for it to go. */
  readonly waiting: readonly OwnerReference[];
}

/** Asks the server about each owner, unless it is known to be absent. */
export async function classifyOwners(
  item: ObjectIdentity,
  references: readonly OwnerReference[],
  { live, absentOwners }: { live: LiveObjects; absentOwners: AbsentOwners },
): Promise<ClassifiedOwners> {
  const solid: OwnerReference[] = [];
  const dangling: OwnerReference[] = [];
  const waiting: OwnerReference[] = [];
  for (const reference of references) {
    const owner = await findOwner(item, reference, { live, absentOwners });
    if (!owner) dangling.push(reference);
    else if (isWaiting(owner)) waiting.push(reference);
    else solid.push(reference);
  }
  return { solid, dangling, waiting };
}

const isWaiting = ({ metadata }: PartialObjectMetadata): boolean =>
  metadata?.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(foregroundFinalizer);

async function findOwner(
  item: ObjectIdentity,
  reference: OwnerReference,
  { live, absentOwners }: { live: LiveObjects; absentOwners: AbsentOwners },
): Promise<PartialObjectMetadata | undefined> {
  const ofCluster = identityOfReference(reference, "");
  const ofNamespace = identityOfReference(reference, item.namespace);
  if (absentOwners.has(ofCluster) || absentOwners.has(ofNamespace)) return undefined;
  const { namespaced } = live.mappingOf(reference);
  if (namespaced && item.namespace === "") throw new NamespacedOwnerError();
  const identity = namespaced ? ofNamespace : ofCluster;
  const owner = await live.get(identity);
  if (owner?.metadata?.uid === reference.uid) return owner;
  absentOwners.add(identity);
  return undefined;
}
