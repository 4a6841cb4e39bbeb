import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { Client } from "@coxswain/client";
import { createSharedInformer, filterListerWatcher, type SharedIndexInformer } from "@coxswain/client/informers";
import type { Runtime } from "@coxswain/runtime";
import { gatewayGroup } from "../objects/gateway-objects.js";

export interface GatewayKindOptions {
  readonly runtime: Runtime;
  readonly client: Client;
  readonly resource: string;
  readonly version: string;
  onChange(): void;
  onError(error: unknown): void;
}

/** The objects of one kind of the Gateway API, whose definition may come and go while they are watched. */
export interface WatchedKind<Kind> {
  list(): readonly Kind[];
  /** Resolves once it is known whether there is a definition and, if so, all objects were read. */
  whenSynced(): Promise<void>;
  stop(): Promise<void>;
}

export function watchGatewayKind<Kind extends object>(options: GatewayKindOptions): WatchedKind<Kind> {
  const { runtime, client, resource, version, onChange, onError } = options;
  let informer: SharedIndexInformer<DeepReadonly<Kind>> | undefined;
  let ending: Promise<void> = Promise.resolve();

  function begin(): void {
    const begun = createSharedInformer<Kind>({
      listerWatcher: client.dynamic<Kind>({ group: gatewayGroup, version, resource }),
      runtime,
      onError,
    });
    begun.addHandler({ onAdd: onChange, onUpdate: onChange, onDelete: onChange });
    begun.start();
    informer = begun;
  }

  function end(): void {
    const gone = informer;
    informer = undefined;
    ending = Promise.all([ending, gone?.stop()]).then(onChange);
  }

  /** Older releases of the Gateway API have a kind without the version that is read here. */
  function follow(definition: DeepReadonly<CustomResourceDefinition>): void {
    const isServed = definition.spec?.versions?.some(({ name, served }) => name === version && served) ?? false;
    if (isServed && !informer) begin();
    if (!isServed && informer) end();
  }

  const definitions = createSharedInformer<CustomResourceDefinition>({
    listerWatcher: filterListerWatcher(
      client.dynamic<CustomResourceDefinition>({
        group: "apiextensions.k8s.io",
        version: "v1",
        resource: "customresourcedefinitions",
      }),
      { fieldSelector: `metadata.name=${resource}.${gatewayGroup}` },
    ),
    runtime,
    onError,
  });
  const registration = definitions.addHandler({
    onAdd: follow,
    onUpdate: (_before, now) => follow(now),
    onDelete: end,
  });
  definitions.start();
  return {
    list: () => (informer?.indexer.list() ?? []) as readonly unknown[] as readonly Kind[],
    async whenSynced() {
      await registration.whenSynced();
      await informer?.whenSynced();
    },
    async stop() {
      await definitions.stop();
      await Promise.all([ending, informer?.stop()]);
    },
  };
}
