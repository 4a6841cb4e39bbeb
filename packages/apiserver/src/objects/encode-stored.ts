import { findResource } from "@coxswain/api/resources";
import { encodeJson, walkOwn } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";
import { forgetEmptyLists } from "./forget-empty-lists.js";

/** Groups whose objects are kept as JSON upstream, as custom resources are. */
const keptAsJson = new Set(["apiextensions.k8s.io", "apiregistration.k8s.io"]);
const known = new WeakMap<AnyKind, boolean>();

function isKeptAsProtobuf(kind: AnyKind): boolean {
  let kept = known.get(kind);
  if (kept === undefined)
    known.set(
      kind,
      (kept = !keptAsJson.has(kind.group) && findResource(kind.group, kind.version, kind.resource) !== undefined),
    );
  return kept;
}

export interface EncodedStored {
  readonly value: Uint8Array;
  /** What was encoded. */
  readonly stored: KubernetesObject;
}

/**
 * An object as the store keeps it: what was changed in place is put in order again; the revision is the store's to say.
 * Defaults are set once more, for what preparation, admission or another version left out: upstream sets them whenever it reads.
 * The object becomes what is stored, and is not to be used again.
 */
export function encodeStored(kind: AnyKind, object: KubernetesObject): EncodedStored {
  kind.setDefaults?.(object);
  const stored = walkOwn(object, kind.schema) as KubernetesObject;
  delete stored.metadata.resourceVersion;
  if (isKeptAsProtobuf(kind)) forgetEmptyLists(stored, kind.schema);
  return { value: encodeJson(stored, kind.schema), stored };
}
