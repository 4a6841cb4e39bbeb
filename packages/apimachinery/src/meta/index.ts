export type {
  KubernetesList,
  KubernetesObject,
  ListMeta,
  ManagedFieldsEntry,
  ObjectMeta,
  OwnerReference,
  TypeMeta,
} from "./object-meta.js";
export type {
  GroupKind,
  GroupResource,
  GroupVersion,
  GroupVersionKind,
  GroupVersionResource,
} from "./group-version.js";
export {
  formatGroupKind,
  formatGroupResource,
  formatGroupVersion,
  formatGroupVersionKind,
  formatGroupVersionResource,
  groupVersionError,
  parseGroupKind,
  parseGroupResource,
  parseGroupVersion,
  parseKindArg,
  parseResourceArg,
} from "./group-version.js";
export { groupVersionKindOf, hasFinalizer, isBeingDeleted, objectKey, splitObjectKey } from "./accessors.js";
export { generateName, randomName } from "./generate-name.js";
export { compareKubeVersions, sortKubeVersions } from "./kube-version.js";
export { compareVersions } from "./version-order.js";
