import { isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import { applyObject } from "../apply/apply-object.js";
import type { Manifest } from "../apply/read-manifests.js";
import { clientConfigs } from "../apply/webhook-addresses.js";

/** The webhook configurations of an operator that runs on this machine for a while. */
export interface RegisteredWebhooks {
  register(configurations: readonly Manifest[]): Promise<void>;
  /** Those of an operator that is deployed in the cluster are put back; others are deleted, or every write would wait for nobody. */
  remove(): Promise<void>;
}

export function createRegisteredWebhooks(client: Client): RegisteredWebhooks {
  /** By kind and name: what was there before, if it was a deployed operator's. */
  const before = new Map<string, { readonly own: Manifest; readonly deployed: Manifest | undefined }>();
  const read = async (object: Manifest): Promise<Manifest | undefined> => {
    const resource = await client.resourceOf(object);
    return resource.get(object.metadata?.name as string).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
  };
  return {
    async register(configurations) {
      for (const own of configurations) {
        const key = `${own.kind}/${own.metadata?.name}`;
        if (!before.has(key)) {
          const live = await read(own);
          const isDeployed = live !== undefined && clientConfigs(live).some(({ service }) => service !== undefined);
          before.set(key, { own, deployed: isDeployed ? live : undefined });
        }
        await applyObject(client, own);
      }
    },
    async remove() {
      for (const { own, deployed } of before.values()) {
        const resource = await client.resourceOf(own);
        const live = await read(own);
        if (live === undefined) continue;
        const { resourceVersion } = live.metadata ?? {};
        if (deployed)
          await resource.update({
            ...deployed,
            metadata: { ...deployed.metadata, ...(resourceVersion !== undefined && { resourceVersion }) },
          });
        else await resource.delete(own.metadata?.name as string);
      }
      before.clear();
    },
  };
}
