import { isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import { applyObject } from "../apply/apply-object.js";
import type { Manifest } from "../apply/read-manifests.js";
import { clientConfigs } from "../apply/webhook-addresses.js";

/** What points at the webhooks of an operator that runs on this machine for a while. */
export interface RegisteredWebhooks {
  /** To be called before a CustomResourceDefinition or a webhook configuration is changed. */
  remember(object: Manifest): Promise<void>;
  register(configurations: readonly Manifest[]): Promise<void>;
  /**
   * What belonged to an operator that is deployed in the cluster is put back. Other webhook configurations are deleted, or every
   * write would fail; a CustomResourceDefinition stays, as its objects would go with it.
   */
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
  async function remember(own: Manifest): Promise<void> {
    const key = `${own.kind}/${own.metadata?.name}`;
    if (before.has(key)) return;
    const live = await read(own);
    const isDeployed = live !== undefined && clientConfigs(live).some(({ service }) => service !== undefined);
    before.set(key, { own, deployed: isDeployed ? live : undefined });
  }
  return {
    remember,
    async register(configurations) {
      for (const own of configurations) {
        await remember(own);
        await applyObject(client, own);
      }
    },
    async remove() {
      for (const { own, deployed } of before.values()) {
        const live = await read(own);
        if (live === undefined) continue;
        const resource = await client.resourceOf(own);
        if (deployed) await resource.update(restored(live, deployed));
        else if (own.kind !== "CustomResourceDefinition") await resource.delete(own.metadata?.name as string);
      }
      before.clear();
    },
  };
}

interface WithSpec {
  readonly spec?: { readonly conversion?: unknown };
}

/** The webhooks of before; of a definition only the conversion, since its schema may be newer now. */
function restored(live: Manifest, deployed: Manifest): Manifest {
  const { resourceVersion } = live.metadata ?? {};
  if (live.kind !== "CustomResourceDefinition")
    return {
      ...deployed,
      metadata: { ...deployed.metadata, ...(resourceVersion !== undefined && { resourceVersion }) },
    };
  const spec = { ...(live as WithSpec).spec, conversion: (deployed as WithSpec).spec?.conversion };
  return { ...live, spec } as Manifest;
}
