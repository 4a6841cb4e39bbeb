import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { SchemaNode } from "@coxswain/apimachinery/schema";

/**
 * How the objects of a kind with several definitions (one per version, all of equal rank: custom resources) are stored.
 * A definition without one stores its objects as they are. Everything before the store (decoding, managed fields,
 * admission, strategies) sees the version of the client's request; conversion happens on the way to and from the store.
 */
export interface StoredForm {
  /** What is written today. The store may also hold objects in other versions, written while those were current. */
  readonly apiVersion: string;
  /** Every apiVersion that objects or managed fields may be in. */
  readonly apiVersions: readonly string[];
  /** Whether conversion may change labels: a webhook may, relabelling the version does not. */
  readonly convertsLabels: boolean;
  /**
   * Objects in any of the versions, in one of them: a batch, in order, because a webhook is asked once for all of them.
   * Leaves what it is given as it is. Rejects with a StatusError when an object cannot be converted.
   */
  convert(objects: readonly KubernetesObject[], apiVersion: string): Promise<readonly KubernetesObject[]>;
  /** The types of one of the versions; undefined: there is no such version any more. */
  typesOf(apiVersion: string): VersionTypes | undefined;
}

export interface VersionTypes {
  readonly schema: SchemaNode;
  /** By which server-side apply merges. @default schema */
  readonly applySchema?: SchemaNode;
  /** See KindDefinition. */
  readonly normalizeStored?: (object: KubernetesObject) => void;
}
