import type { CachedObject } from "@coxswain/client/informers";
import type { ClusterAccess } from "../access/index.js";
import { nameOf, type ResourceDefinition, storeKey } from "../resource/index.js";
import type { Owner } from "./controller-reference.js";
import { staleSource } from "./stale-source-error.js";

/** An object that another one was computed from, as it was read. */
export interface SourceObject {
  readonly resource: ResourceDefinition<object>;
  readonly object: object;
  /** Where it is, if not in the cluster that is written to. */
  readonly cluster?: ClusterAccess;
}

/** What a write was computed from. A helper that is given it never replaces what was computed from something newer. */
export type MadeFrom =
  | {
      /** Becomes the controller of the object; a source as well. */
      readonly owner: Owner;
      /** What else it was computed from: a ConfigMap that the owner names, for example. */
      readonly from?: readonly SourceObject[];
    }
  | {
      readonly owner?: undefined;
      /** Empty: from nothing that changes, or from the object itself alone. */
      readonly from: readonly SourceObject[];
    };

export const sourcesOf = ({ owner, from = [] }: MadeFrom): SourceObject[] => (owner ? [owner, ...from] : [...from]);

type Metadata = CachedObject["metadata"] & {
  readonly generation?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
};

export const metadataOf = (object: object): NonNullable<Metadata> => (object as { metadata?: Metadata }).metadata ?? {};

/**
 * Asks the server whether the source is still what was read. A newer status alone does not count where the kind has a generation: it is
 * mostly the operator's own, and nothing should be computed from it.
 * @throws StaleSourceError where it is not
 */
export async function assertCurrent(
  access: ClusterAccess,
  { resource, object, cluster = access }: SourceObject,
): Promise<void> {
  const live = await cluster.live.get(resource, nameOf(object as CachedObject));
  if (live !== undefined && isSameSource(metadataOf(object), metadataOf(live))) return;
  const name = `${resource.kind} ${storeKey(nameOf(object as CachedObject))}`;
  const now = live === undefined ? "it is gone" : `the server has version ${metadataOf(live).resourceVersion}`;
  throw staleSource(`${name} was read at version ${metadataOf(object).resourceVersion}, and ${now}`);
}

function isSameSource(read: NonNullable<Metadata>, live: NonNullable<Metadata>): boolean {
  if (read.uid !== live.uid) return false;
  if (read.resourceVersion === live.resourceVersion) return true;
  if (!read.generation || read.generation !== live.generation) return false;
  return isEqualMap(read.labels, live.labels) && isEqualMap(read.annotations, live.annotations);
}

function isEqualMap(a: Readonly<Record<string, string>> = {}, b: Readonly<Record<string, string>> = {}): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
