import type { Client } from "@coxswain/client";
import { createSharedInformer, filterListerWatcher } from "@coxswain/client/informers";
import type { PartialObjectMetadata } from "@coxswain/client/resource";
import type { Runtime } from "@coxswain/runtime";

/** What routes are made of: Ingresses, and Gateways once their definition is there. */
const kinds = [
  { resource: { group: "networking.k8s.io", version: "v1", resource: "ingresses" }, selector: {} },
  {
    resource: { group: "apiextensions.k8s.io", version: "v1", resource: "customresourcedefinitions" },
    selector: { fieldSelector: "metadata.name=gateways.gateway.networking.k8s.io" },
  },
] as const;

/** Starts something with the first route of a cluster: most never have one, and need not pay for it. */
export function onFirstRoute(
  runtime: Runtime,
  client: Client,
  start: () => Promise<{ stop(): Promise<void> }>,
): { stop(): Promise<void> } {
  let started: Promise<{ stop(): Promise<void> } | undefined> | undefined;
  const onError = (error: unknown): void =>
    runtime.log.debug("looking for routes failed and is tried again", { error });
  const informers = kinds.map(({ resource, selector }) =>
    createSharedInformer<PartialObjectMetadata>({
      listerWatcher: filterListerWatcher(client.metadata(resource), selector),
      runtime,
      onError,
    }),
  );
  const begin = (): void => {
    started ??= start().catch((error: unknown) => {
      runtime.log.warn("Ingresses and Gateways are not served", { error });
      return undefined;
    });
  };
  for (const informer of informers) {
    informer.addHandler({ onAdd: begin });
    informer.start();
  }
  return {
    async stop() {
      for (const informer of informers) await informer.stop();
      await (await started)?.stop();
    },
  };
}
