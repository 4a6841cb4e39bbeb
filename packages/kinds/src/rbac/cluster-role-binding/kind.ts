import { builtInKind } from "../../built-in/built-in-kind.js";
import { bindingCells, bindingColumns, setBindingDefaults } from "../binding.js";
import type { StoredClusterRoleBinding } from "./stored.js";
import { checkClusterRoleBinding, checkClusterRoleBindingUpdate } from "./validation.js";

export type { StoredClusterRoleBinding };

export const clusterRoleBindingKind = builtInKind<StoredClusterRoleBinding>(
  "rbac.authorization.k8s.io",
  "v1",
  "clusterrolebindings",
  {
    setDefaults: setBindingDefaults,
    strategy: {
      resetFields: [],
      validateCreate: checkClusterRoleBinding,
      validateUpdate: checkClusterRoleBindingUpdate,
      allowCreateOnUpdate: true,
    },
    views: {},
    columns: { columns: bindingColumns, cells: bindingCells },
  },
);
