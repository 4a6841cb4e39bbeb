import type { Subject } from "@coxswain/api/rbac/v1";
import { isAlreadyExists } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import { joiningGroup } from "./bootstrap-token.js";

/** What machines that join are given. */
export interface JoinFacts {
  /** A kubeconfig without a user: where the API server is, and who signed its certificate. */
  readonly clusterInfo: string;
  /** A KubeletConfiguration. */
  readonly kubeletConfig: string;
}

const manager = { fieldManager: "coxswain-token", force: true };
const apiGroup = "rbac.authorization.k8s.io";
const group = (name: string): Subject => ({ apiGroup, kind: "Group", name });
const anonymous: Subject = { apiGroup, kind: "User", name: "system:anonymous" };
const csr = "system:certificates.k8s.io:certificatesigningrequests";

/** kubeadm's names (cmd/kubeadm/app/phases/bootstraptoken), so that either finds the other's. */
const bindings: readonly { readonly name: string; readonly role: string; readonly subject: Subject }[] = [
  { name: "kubeadm:kubelet-bootstrap", role: "system:node-bootstrapper", subject: group(joiningGroup) },
  { name: "kubeadm:get-nodes", role: "kubeadm:get-nodes", subject: group(joiningGroup) },
  { name: "kubeadm:node-autoapprove-bootstrap", role: `${csr}:nodeclient`, subject: group(joiningGroup) },
  {
    name: "kubeadm:node-autoapprove-certificate-rotation",
    role: `${csr}:selfnodeclient`,
    subject: group("system:nodes"),
  },
  // Ours: proxy and policies of a node that joined are part of its process, and go by its identity.
  { name: "coxswain:node-proxier", role: "system:node-proxier", subject: group("system:nodes") },
  { name: "coxswain:node-policy", role: "coxswain:network-policy", subject: group("system:nodes") },
];

/** ConfigMaps and who reads them: exactly `cluster-info` is open to everybody. */
const files = [
  {
    namespace: "kube-public",
    role: "kubeadm:bootstrap-signer-clusterinfo",
    names: ["cluster-info"],
    verbs: ["get"],
    subjects: [anonymous],
  },
  {
    namespace: "kube-system",
    role: "kubeadm:kubelet-config",
    names: ["kubelet-config"],
    verbs: ["get"],
    subjects: [group("system:nodes"), group(joiningGroup)],
  },
  {
    namespace: "kube-system",
    role: "coxswain:node-network",
    names: ["coxswain-node-network"],
    verbs: ["get"],
    subjects: [group("system:nodes"), group(joiningGroup)],
  },
  // By it nodes follow the authority when it is replaced.
  {
    namespace: "kube-system",
    role: "coxswain:authorities",
    names: ["kube-root-ca.crt"],
    verbs: ["get", "list", "watch"],
    subjects: [group("system:nodes")],
  },
] as const;

/** Makes what machines join by; what is there already is brought up to date. */
export async function applyJoinObjects(client: Client, facts: JoinFacts): Promise<void> {
  const { core, rbac } = client;
  const configMap = async (namespace: string, name: string, data: Record<string, string>): Promise<void> =>
    void (await core.v1.configmaps(namespace).apply({ metadata: { name }, data }, manager));
  await configMap("kube-public", "cluster-info", { kubeconfig: facts.clusterInfo });
  await configMap("kube-system", "kubelet-config", { kubelet: facts.kubeletConfig });
  await applyRoles(client);
  for (const file of files) await openFile(client, file);
  for (const { name, role, subject } of bindings) {
    const roleRef = { apiGroup, kind: "ClusterRole", name: role };
    await rbac.v1.clusterrolebindings().apply({ metadata: { name }, roleRef, subjects: [subject] }, manager);
  }
}

/** The same for `cluster-info` alone, where there is none yet: those who join the control plane need nothing else. */
export async function ensureClusterInfo(client: Client, clusterInfo: string): Promise<void> {
  const configMaps = client.core.v1.configmaps("kube-public");
  const metadata = { name: "cluster-info" };
  await configMaps.create({ metadata, data: { kubeconfig: clusterInfo } }).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
  await openFile(client, files[0]);
}

async function openFile(
  { rbac }: Client,
  { namespace, role, names, verbs, subjects }: (typeof files)[number],
): Promise<void> {
  const rules = [{ apiGroups: [""], resources: ["configmaps"], resourceNames: [...names], verbs: [...verbs] }];
  await rbac.v1.roles(namespace).apply({ metadata: { name: role }, rules }, manager);
  const roleRef = { apiGroup, kind: "Role", name: role };
  await rbac.v1.rolebindings(namespace).apply({ metadata: { name: role }, roleRef, subjects: [...subjects] }, manager);
}

async function applyRoles({ rbac }: Client): Promise<void> {
  await rbac.v1
    .clusterroles()
    .apply(
      { metadata: { name: "kubeadm:get-nodes" }, rules: [{ apiGroups: [""], resources: ["nodes"], verbs: ["get"] }] },
      manager,
    );
}
