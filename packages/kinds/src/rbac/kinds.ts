import type { AnyKind } from "../definition/kind-definition.js";
import { clusterRoleKind } from "./cluster-role/kind.js";
import { clusterRoleBindingKind } from "./cluster-role-binding/kind.js";
import { roleKind } from "./role/kind.js";
import { roleBindingKind } from "./role-binding/kind.js";

export const rbacKinds: readonly AnyKind[] = [clusterRoleKind, clusterRoleBindingKind, roleKind, roleBindingKind];
