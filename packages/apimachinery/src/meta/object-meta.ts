/** The metadata that every stored object carries. Times are RFC 3339 texts. */
export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  /** Deprecated: no server sets it. */
  selfLink?: string;
  uid?: string;
  /** Opaque to clients except that it may be compared as a decimal number. */
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string | null;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  /** Keys are chosen by users: read them by `getOwn`, write them by `setOwn`. */
  labels?: Record<string, string>;
  /** Keys are chosen by users: read them by `getOwn`, write them by `setOwn`. */
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: string;
  fieldsType?: string;
  /** A trie of field names; its form is that of `FieldsV1`. */
  fieldsV1?: Record<string, unknown>;
  subresource?: string;
}

export interface ListMeta {
  selfLink?: string;
  resourceVersion?: string;
  continue?: string;
  remainingItemCount?: number;
}

export interface TypeMeta {
  apiVersion?: string;
  kind?: string;
}

/** Any object of the API as plain data. */
export interface KubernetesObject extends TypeMeta {
  metadata: ObjectMeta;
}

export interface KubernetesList<T extends KubernetesObject = KubernetesObject> extends TypeMeta {
  metadata: ListMeta;
  items: T[];
}
