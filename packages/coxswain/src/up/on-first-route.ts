import type { Client } from "@coxswain/client";
import { createSharedInformer, filterListerWatcher } from "@coxswain/client/informers";
import type { PartialObjectMetadata } from "@coxswain/client/resource";
import { hasCondition } from "@coxswain/client/wait";
import type { ListerWatcher } from "@coxswain/client/watch";
import type { Runtime } from "@coxswain/runtime";

const group = "gateway.networking.k8s.io";
const definitions = { group: "apiextensions.k8s.io", version: "v1", resource: "customresourcedefinitions" };

/** What wants a gateway: any Gateway, and a GatewayClass that nobody has accepted. */
const kinds: readonly { readonly resource: string; readonly isServed: (object: object) => boolean }[] = [
  { resource: "gateways", isServed: () => false },
  { resource: "gatewayclasses", isServed: hasCondition("Accepted") },
];

/** Starts something with the first Ingress or Gateway of a cluster: most never have one, and need not pay for it. */
export function onFirstRoute(
  runtime: Runtime,
  client: Client,
  start: () => Promise<{ stop(): Promise<void> }>,
): { stop(): Promise<void> } {
  let started: Promise<{ stop(): Promise<void> } | undefined> | undefined;
  const informers: { stop(): Promise<void> }[] = [];
  const begin = (): void => {
    started ??= start().catch((error: unknown) => {
      runtime.log.warn("Ingresses and Gateways are not served", { error });
      return undefined;
    });
  };
  const follow = <Kind extends object>(
    listerWatcher: ListerWatcher<Kind>,
    onObject: (object: object) => void,
  ): void => {
    const informer = createSharedInformer<Kind>({
      listerWatcher,
      runtime,
      onError: (error) => runtime.log.debug("looking for routes failed and is tried again", { error }),
    });
    informer.addHandler({ onAdd: onObject, onUpdate: (_before, now) => onObject(now) });
    informer.start();
    informers.push(informer);
  };
  follow<PartialObjectMetadata>(
    client.metadata({ group: "networking.k8s.io", version: "v1", resource: "ingresses" }),
    begin,
  );
  for (const { resource, isServed } of kinds) {
    let isFollowed = false;
    const selector = { fieldSelector: `metadata.name=${resource}.${group}` };
    follow<PartialObjectMetadata>(filterListerWatcher(client.metadata(definitions), selector), () => {
      if (isFollowed) return;
      isFollowed = true;
      follow(client.dynamic({ group, version: "v1", resource }), (object) => void (isServed(object) || begin()));
    });
  }
  return {
    async stop() {
      await Promise.all(informers.map((informer) => informer.stop()));
      await (await started)?.stop();
    },
  };
}
