import { isAlreadyExists } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import {
  localPathProvisionerController,
  provisionerBinding,
  provisionerRole,
  servingApproverBinding,
  servingApproverRole,
  servingApprovingController,
  standardClass,
} from "@coxswain/controllers";

/**
 * What controllers of ours need, where they run: their rights, and a default StorageClass for volumes on nodes. Objects that are there
 * stay as they are.
 */
export async function ensureOwnObjects({ rbac, storage }: Client, controllers: readonly string[]): Promise<void> {
  if (controllers.includes(localPathProvisionerController.name)) {
    await rbac.v1.clusterroles().create(provisionerRole).catch(ignoreExisting);
    await rbac.v1.clusterrolebindings().create(provisionerBinding).catch(ignoreExisting);
    await storage.v1.storageclasses().create(standardClass).catch(ignoreExisting);
  }
  if (controllers.includes(servingApprovingController.name)) {
    await rbac.v1.clusterroles().create(servingApproverRole).catch(ignoreExisting);
    await rbac.v1.clusterrolebindings().create(servingApproverBinding).catch(ignoreExisting);
  }
}

function ignoreExisting(error: unknown): void {
  if (!isAlreadyExists(error)) throw error;
}
