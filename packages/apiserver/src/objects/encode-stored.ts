import { encodeJson, walkOwn } from "@coxswain/apimachinery/json";
import { formatGroupVersion, type KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AnyKind, StoredForm } from "@coxswain/kinds";
import type { Soon } from "@coxswain/runtime/soon";
import { forgetEmptyLists } from "./forget-empty-lists.js";

export interface EncodedStored {
  readonly value: Uint8Array;
  /** What was encoded. */
  readonly stored: KubernetesObject;
}

/**
 * An object as the store keeps it: what was changed in place is put in order again; the revision is set by the store.
 * Defaults are set once more, for what preparation, admission or another version left out: upstream sets them whenever it reads.
 * The object becomes what is stored, and is not to be used again.
 */
export function encodeStored(kind: AnyKind, object: KubernetesObject): EncodedStored {
  kind.setDefaults?.(object);
  const stored = walkOwn(object, kind.schema) as KubernetesObject;
  delete stored.metadata.resourceVersion;
  if (kind.facts.storedAsProtobuf) forgetEmptyLists(stored, kind.schema);
  return { value: encodeJson(stored, kind.schema), stored };
}

/** The same in the version that is stored, where that is another one. */
export function encodeForStore(kind: AnyKind, object: KubernetesObject): Soon<EncodedStored> {
  return kind.storedForm && !isStoredVersion(kind)
    ? encodeConverted(kind, kind.storedForm, object)
    : encodeStored(kind, object);
}

/** Whether objects of this version are stored as they are. */
export const isStoredVersion = ({ storedForm, group, version }: AnyKind): boolean =>
  !storedForm || storedForm.apiVersion === formatGroupVersion({ group, version });

async function encodeConverted(kind: AnyKind, form: StoredForm, object: KubernetesObject): Promise<EncodedStored> {
  kind.setDefaults?.(object);
  const [converted = object] = await form.convert([object], form.apiVersion);
  const schema = form.typesOf(form.apiVersion)?.schema ?? kind.schema;
  const stored = walkOwn(converted, schema) as KubernetesObject;
  delete stored.metadata.resourceVersion;
  return { value: encodeJson(stored, schema), stored };
}
