import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import { isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import type { ApplyConfiguration } from "@coxswain/client/resource";
import { hasCondition, waitFor } from "@coxswain/client/wait";
import type { Manifest } from "./read-manifests.js";
import { haveOtherAddresses } from "./webhook-addresses.js";

export const fieldManager = "coxswain-operator";

/** As `kubectl apply --server-side --force-conflicts` does, other than for webhooks that move between a Service and a URL. */
export async function applyObject(client: Client, object: Manifest): Promise<void> {
  const resource = await client.resourceOf(object);
  const name = object.metadata?.name as string;
  const live = await resource.get(name).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  if (live && haveOtherAddresses(live, object)) {
    const metadata = { ...live.metadata, ...object.metadata };
    await resource.update({ ...object, metadata }, { fieldManager });
    return;
  }
  await resource.apply(object as ApplyConfiguration<Manifest>, { fieldManager, force: true });
}

/** Applies them and waits until their resources are served. */
export async function applyDefinitions(
  client: Client,
  definitions: readonly Manifest[],
  { signal, timeoutMs = 60_000 }: { signal?: AbortSignal | undefined; timeoutMs?: number } = {},
): Promise<void> {
  for (const definition of definitions) await applyObject(client, definition);
  const served = client.apiextensions.v1.customresourcedefinitions();
  for (const { metadata } of definitions)
    await waitFor<CustomResourceDefinition>(served, metadata?.name ?? "", hasCondition("Established"), {
      timeoutMs,
      ...(signal && { signal }),
    });
}
