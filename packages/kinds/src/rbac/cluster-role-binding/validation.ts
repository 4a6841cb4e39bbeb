import type { DeepReadonly } from "@coxswain/api";
import type { FieldError } from "@coxswain/apimachinery/field";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import { checkBinding, checkRoleStays } from "../binding.js";
import { checkRbacName } from "../name.js";
import type { StoredClusterRoleBinding } from "./stored.js";

type ReadBinding = DeepReadonly<StoredClusterRoleBinding>;

export const checkClusterRoleBinding = (binding: ReadBinding): FieldError[] => [
  ...checkObjectMeta(binding.metadata, { namespaced: false, checkName: checkRbacName }),
  ...checkBinding(binding, ["ClusterRole"], false),
];

export const checkClusterRoleBindingUpdate = (next: ReadBinding, old: ReadBinding): FieldError[] => [
  ...checkClusterRoleBinding(next),
  ...checkObjectMetaUpdate(next.metadata, old.metadata),
  ...checkRoleStays(next, old),
];
