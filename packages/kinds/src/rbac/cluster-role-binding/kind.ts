import type { ClusterRoleBinding } from "@coxswain/api/rbac/v1";
import { builtInKind } from "../../built-in-kind.js";
import type { Stored } from "../../stored.js";
import { bindingCells, bindingColumns, setBindingDefaults } from "../binding.js";
import { checkClusterRoleBinding, checkClusterRoleBindingUpdate } from "./validation.js";

export type StoredClusterRoleBinding = Stored<ClusterRoleBinding>;

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
