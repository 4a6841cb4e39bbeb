import { isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import { applyObject } from "../apply/apply-object.js";
import { isOnThisMachine } from "../apply/choose-cluster.js";
import type { Manifest } from "../apply/read-manifests.js";
import { clientConfigs } from "../apply/webhook-addresses.js";

/** What points at the webhooks of an operator that runs on this machine for a while. */
export interface RegisteredWebhooks {
  /** To be called before a CustomResourceDefinition or a webhook configuration is changed, with it as the project would deliver it. */
  remember(delivered: Manifest): Promise<void>;
  register(configurations: readonly Manifest[]): Promise<void>;
  /**
   * What belonged to an operator that is deployed in the cluster is put back. Other webhook configurations are deleted, or every
   * write would fail; a CustomResourceDefinition stays, as its objects would go with it, with the conversion that it had before, or, if it
   * is new, with the one that is delivered: nothing leads to this machine afterwards.
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
    before.set(key, { own, deployed: live && isAnothers(live) ? live : undefined });
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
        if (own.kind === "CustomResourceDefinition") await resource.update(withConversionOf(live, deployed ?? own));
        else if (deployed) await resource.update(inPlaceOf(live, deployed));
        else await resource.delete(own.metadata?.name as string);
      }
      before.clear();
    },
  };
}

/** What a run on this machine left behind when it was killed is called by a loopback address. */
function isAnothers(live: Manifest): boolean {
  const configs = clientConfigs(live);
  if (live.kind === "CustomResourceDefinition") return !configs.some(({ url }) => url !== undefined && isLoopback(url));
  return configs.some(({ service }) => service !== undefined);
}

const isLoopback = (url: string): boolean => isOnThisMachine({ server: url });

const inPlaceOf = (live: Manifest, deployed: Manifest): Manifest => {
  const { resourceVersion } = live.metadata ?? {};
  return { ...deployed, metadata: { ...deployed.metadata, ...(resourceVersion !== undefined && { resourceVersion }) } };
};

interface WithSpec {
  readonly spec?: { readonly conversion?: unknown };
}

/** Of a definition only the conversion goes back, since its schema may be newer now. */
const withConversionOf = (live: Manifest, other: Manifest): Manifest => {
  const conversion = (other as WithSpec).spec?.conversion ?? { strategy: "None" };
  return { ...live, spec: { ...(live as WithSpec).spec, conversion } } as Manifest;
};
