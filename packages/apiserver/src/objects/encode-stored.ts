import { encodeJson, walk } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";

/**
 * An object as the store keeps it: what was changed in place is put in order again; the revision is the store's to say.
 * Defaults are set once more, for what preparation, admission or another version left out: upstream sets them whenever it reads.
 */
export function encodeStored(kind: AnyKind, object: KubernetesObject): { value: Uint8Array; stored: KubernetesObject } {
  kind.setDefaults?.(object);
  const stored = walk(object, kind.schema) as KubernetesObject;
  delete stored.metadata.resourceVersion;
  return { value: encodeJson(stored, kind.schema), stored };
}
