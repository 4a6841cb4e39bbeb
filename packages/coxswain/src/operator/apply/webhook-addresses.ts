import type { Manifest } from "./read-manifests.js";

/** Where an API server calls a webhook. */
interface ClientConfig {
  url?: string;
  service?: { name: string; namespace: string; path?: string; port?: number };
  caBundle?: string;
}
interface WithHooks {
  webhooks?: { clientConfig: ClientConfig }[];
}
interface WithConversion {
  spec?: { conversion?: { webhook?: { clientConfig?: ClientConfig } } };
}

/** Every `clientConfig` of a webhook configuration or a CustomResourceDefinition. */
export const clientConfigs = (object: object): ClientConfig[] => {
  const conversion = (object as WithConversion).spec?.conversion?.webhook?.clientConfig;
  return [...((object as WithHooks).webhooks ?? []).map(({ clientConfig }) => clientConfig), conversion].filter(
    (one) => one !== undefined,
  );
};

/**
 * Pure: the object with webhooks at `address` (`https://127.0.0.1:9443`) instead of at a Service. API servers outside of a cluster's
 * network, and operators outside of pods, know no Services.
 */
export function withAddress<T extends Manifest>(object: T, address: string, caBundle: string): T {
  const changed = structuredClone(object);
  for (const config of clientConfigs(changed)) {
    if (!config.service) continue;
    config.url = `${address}${config.service.path ?? "/"}`;
    config.caBundle = caBundle;
    delete config.service;
  }
  return changed;
}

/** Whether one is called by URL and the other by Service: an apply would leave both, which is invalid. */
export const haveOtherAddresses = (one: object, other: object): boolean => {
  const byUrl = (object: object): boolean[] => clientConfigs(object).map(({ url }) => url !== undefined);
  const [left, right] = [byUrl(one), byUrl(other)];
  return left.some((isUrl) => right.some((isOtherUrl) => isUrl !== isOtherUrl));
};
