import { localPathProvisioner } from "@coxswain/api/local-path";
import type { ClusterRole, ClusterRoleBinding } from "@coxswain/api/rbac/v1";
import type { StorageClass } from "@coxswain/api/storage/v1";

/** The class of claims that name none. */
export const standardClass: StorageClass = {
  metadata: {
    name: "standard",
    annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
  },
  provisioner: localPathProvisioner,
  reclaimPolicy: "Delete",
  volumeBindingMode: "WaitForFirstConsumer",
  allowVolumeExpansion: true,
};

const name = "system:coxswain:local-path-provisioner";
const reads = ["get", "list", "watch"];

/** What the provisioner's service account may do. */
export const provisionerRole: ClusterRole = {
  metadata: { name },
  rules: [
    { apiGroups: [""], resources: ["persistentvolumes"], verbs: [...reads, "create", "delete", "patch"] },
    { apiGroups: [""], resources: ["persistentvolumeclaims"], verbs: [...reads, "patch"] },
    { apiGroups: [""], resources: ["persistentvolumeclaims/status"], verbs: ["update"] },
    { apiGroups: [""], resources: ["nodes"], verbs: [...reads, "patch"] },
    { apiGroups: ["storage.k8s.io"], resources: ["storageclasses"], verbs: reads },
    { apiGroups: [""], resources: ["events"], verbs: ["create", "patch"] },
  ],
};

export const provisionerBinding: ClusterRoleBinding = {
  metadata: { name },
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
  subjects: [{ kind: "ServiceAccount", name: "local-path-provisioner", namespace: "kube-system" }],
};
