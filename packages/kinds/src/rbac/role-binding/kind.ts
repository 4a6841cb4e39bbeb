import type { RoleBinding } from "@coxswain/api/rbac/v1";
import { builtInKind } from "../../built-in-kind.js";
import type { Stored } from "../../stored.js";
import { bindingCells, bindingColumns, setBindingDefaults } from "../binding.js";
import { checkRoleBinding, checkRoleBindingUpdate } from "./validation.js";

export type StoredRoleBinding = Stored<RoleBinding>;

export const roleBindingKind = builtInKind<StoredRoleBinding>("rbac.authorization.k8s.io", "v1", "rolebindings", {
  setDefaults: setBindingDefaults,
  strategy: {
    resetFields: [],
    validateCreate: checkRoleBinding,
    validateUpdate: checkRoleBindingUpdate,
    allowCreateOnUpdate: true,
  },
  views: {},
  columns: { columns: bindingColumns, cells: bindingCells },
});
