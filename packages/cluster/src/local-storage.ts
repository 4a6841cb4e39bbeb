import { isAlreadyExists } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import {
  localPathProvisionerController,
  provisionerBinding,
  provisionerRole,
  standardClass,
} from "@coxswain/controllers";

/**
 * Gives the cluster a default StorageClass for volumes on its nodes, where the provisioner for it runs. Objects that are there stay as
 * they are.
 */
export async function ensureLocalStorage(client: Client, controllers: readonly string[]): Promise<void> {
  if (!controllers.includes(localPathProvisionerController.name)) return;
  await client.rbac.v1.clusterroles().create(provisionerRole).catch(ignoreExisting);
  await client.rbac.v1.clusterrolebindings().create(provisionerBinding).catch(ignoreExisting);
  await client.storage.v1.storageclasses().create(standardClass).catch(ignoreExisting);
}

function ignoreExisting(error: unknown): void {
  if (!isAlreadyExists(error)) throw error;
}
