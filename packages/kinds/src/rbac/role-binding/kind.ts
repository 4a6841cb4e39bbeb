import { builtInKind } from "../../built-in/built-in-kind.js";
import { bindingCells, bindingColumns, setBindingDefaults } from "../binding.js";
import type { StoredRoleBinding } from "./stored.js";
import { checkRoleBinding, checkRoleBindingUpdate } from "./validation.js";

export type { StoredRoleBinding };

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
