import { isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import type { Clock } from "@coxswain/runtime/clock";
import type { RandomSource } from "@coxswain/runtime/random";
import { drawToken, joiningGroup, tokenNamespace, tokenSecret } from "../bootstrap-token.js";
import { parseCertificateKey } from "./certificate-key.js";
import { type ControlPlaneFacts, controlPlaneName, factsToData } from "./control-plane-facts.js";
import { type EtcdFiles, encryptKeys, sharedKeysName } from "./shared-keys.js";

/** kubeadm's (cmd/kubeadm/app/constants, DefaultCertTokenDuration): two hours. */
export const keysLifeMs = 2 * 3_600_000;
/** kubeadm's, by which people know the token in a list. */
export const keysTokenDescription = "Proxy for managing TTL for the kubeadm-certs secret";

const manager = { fieldManager: "coxswain-token", force: true };
const apiGroup = "rbac.authorization.k8s.io";

export interface KeysToUpload {
  readonly pki: string;
  readonly etcd: EtcdFiles;
  readonly certificateKey: string;
  readonly facts: ControlPlaneFacts;
}

/**
 * Puts a cluster's keys, encrypted, where machines that join find them. A token that nobody can use is their owner: when it has ended,
 * after two hours, the token cleaner deletes it, and the garbage collector them.
 */
export async function uploadKeys(
  client: Client,
  { pki, etcd, certificateKey, facts }: KeysToUpload,
  { clock, random }: { readonly clock: Clock; readonly random: RandomSource },
): Promise<void> {
  const key = parseCertificateKey(certificateKey);
  const data = encryptKeys({ pki, etcd }, { key, random });
  const secrets = client.core.v1.secrets(tokenNamespace);
  const owner = await secrets.create(
    tokenSecret(drawToken(random), {
      expiresAt: clock.now() + keysLifeMs,
      description: keysTokenDescription,
      usages: [],
      groups: [],
    }),
  );
  const { name = "", uid = "" } = owner.metadata ?? {};
  const ownerReferences = [{ apiVersion: "v1", kind: "Secret", name, uid, controller: true, blockOwnerDeletion: true }];
  const metadata = { name: sharedKeysName, namespace: tokenNamespace, ownerReferences };
  // Not applied: what an earlier upload had and this one has not must go, too.
  await secrets.delete(sharedKeysName).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
  await secrets.create({ metadata, data });
  await client.core.v1
    .configmaps(tokenNamespace)
    .apply({ metadata: { name: controlPlaneName }, data: factsToData(facts) }, manager);
  await allow(client, "kubeadm:kubeadm-certs", { resource: "secrets", name: sharedKeysName });
  await allow(client, "coxswain:control-plane", { resource: "configmaps", name: controlPlaneName });
}

async function allow(
  { rbac }: Client,
  role: string,
  { resource, name }: { readonly resource: string; readonly name: string },
): Promise<void> {
  const metadata = { name: role };
  const rules = [{ apiGroups: [""], resources: [resource], resourceNames: [name], verbs: ["get"] }];
  await rbac.v1.roles(tokenNamespace).apply({ metadata, rules }, manager);
  const roleRef = { apiGroup, kind: "Role", name: role };
  const subjects = [{ apiGroup, kind: "Group", name: joiningGroup }];
  await rbac.v1.rolebindings(tokenNamespace).apply({ metadata, roleRef, subjects }, manager);
}
