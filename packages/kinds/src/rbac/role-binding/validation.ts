import type { DeepReadonly } from "@coxswain/api";
import type { FieldError } from "@coxswain/apimachinery/field";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import { checkBinding, checkRoleStays } from "../binding.js";
import { checkRbacName } from "../name.js";
import type { StoredRoleBinding } from "./stored.js";

type ReadBinding = DeepReadonly<StoredRoleBinding>;

export const checkRoleBinding = (binding: ReadBinding): FieldError[] => [
  ...checkObjectMeta(binding.metadata, { namespaced: true, checkName: checkRbacName }),
  ...checkBinding(binding, ["Role", "ClusterRole"], true),
];

export const checkRoleBindingUpdate = (next: ReadBinding, old: ReadBinding): FieldError[] => [
  ...checkRoleBinding(next),
  ...checkObjectMetaUpdate(next.metadata, old.metadata),
  ...checkRoleStays(next, old),
];
