import { isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import { retryOnConflict } from "@coxswain/client/retry";
import type { Runtime } from "@coxswain/runtime";

/** Where API servers look for the authority that signed a webhook's certificate. */
export interface InjectionTargets {
  /** Names of MutatingWebhookConfigurations, ValidatingWebhookConfigurations and CustomResourceDefinitions with conversion. */
  readonly mutating?: readonly string[];
  readonly validating?: readonly string[];
  readonly definitions?: readonly string[];
}

interface ClientConfig {
  readonly url?: string;
  readonly caBundle?: string;
}

interface WithHooks {
  webhooks?: { clientConfig: ClientConfig }[];
}

/**
 * Puts the bundle (base64 of PEM) where it is not yet. Updates name the version that was read. A target that is not there yet is left
 * for the next time. Returns the names of those that are missing. `hosts`: by which this operator is called. A webhook that is called at
 * another URL belongs to somebody else, such as `coxswain operator run` on a developer's machine, and keeps its authority.
 */
export async function injectAuthorities(
  client: Client,
  targets: InjectionTargets,
  {
    caBundle,
    hosts,
    runtime,
  }: { readonly caBundle: string; readonly hosts: readonly string[]; readonly runtime: Runtime },
): Promise<string[]> {
  const missing: string[] = [];
  const isDoneAt = ({ url, caBundle: there }: ClientConfig): boolean =>
    there === caBundle || (url !== undefined && !hosts.includes(new URL(url).hostname));
  const withBundle = <T extends WithHooks>(configuration: T): T => ({
    ...configuration,
    webhooks: (configuration.webhooks ?? []).map((hook) =>
      isDoneAt(hook.clientConfig) ? hook : { ...hook, clientConfig: { ...hook.clientConfig, caBundle } },
    ),
  });
  const isDone = ({ webhooks = [] }: WithHooks): boolean =>
    webhooks.every(({ clientConfig }) => isDoneAt(clientConfig));
  async function each(names: readonly string[] | undefined, inject: (name: string) => Promise<void>): Promise<void> {
    // The server's own controllers write the status of a definition meanwhile.
    for (const name of names ?? [])
      await retryOnConflict(() => inject(name), { runtime }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
        missing.push(name);
      });
  }
  const registration = client.admissionregistration.v1;
  await each(targets.mutating, async (name) => {
    const found = await registration.mutatingwebhookconfigurations().get(name);
    if (!isDone(found)) await registration.mutatingwebhookconfigurations().update(withBundle(found));
  });
  await each(targets.validating, async (name) => {
    const found = await registration.validatingwebhookconfigurations().get(name);
    if (!isDone(found)) await registration.validatingwebhookconfigurations().update(withBundle(found));
  });
  const definitions = client.apiextensions.v1.customresourcedefinitions();
  await each(targets.definitions, async (name) => {
    const found = await definitions.get(name);
    const { conversion } = found.spec;
    const clientConfig = conversion?.webhook?.clientConfig;
    if (!conversion?.webhook || !clientConfig || isDoneAt(clientConfig)) return;
    const webhook = { ...conversion.webhook, clientConfig: { ...clientConfig, caBundle } };
    await definitions.update({ ...found, spec: { ...found.spec, conversion: { ...conversion, webhook } } });
  });
  return missing;
}
