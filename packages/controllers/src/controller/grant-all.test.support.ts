import type { Client } from "@coxswain/client";

/** Lets the service account of a controller do everything: the server makes roles only for controllers that run by default. */
export const grantAll = (client: Client, serviceAccount: string): Promise<unknown> =>
  client.rbac.v1.clusterrolebindings().create({
    metadata: { name: `test-${serviceAccount}` },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ kind: "ServiceAccount", namespace: "kube-system", name: serviceAccount }],
  });
