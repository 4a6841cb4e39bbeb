import type { IPAddress } from "@coxswain/api/networking/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { Logger } from "@coxswain/component/log";
import { createLister } from "../cache/lister.js";
import type { ObjectDeps } from "../objects/object-deps.js";
import { objectKey } from "../cache/object-key.js";
import { actOnChanges } from "./act-on-changes.js";
import { ensureObjects, type KindOf } from "./bootstrap.js";
import { bootstrapObjects } from "./bootstrap-objects.js";
import { type Endpoint, kubernetesEndpoints, kubernetesService } from "./kubernetes-service/objects.js";
import { storedKind } from "../catalogue/stored-kind.js";

export interface KeptObjectsOptions {
  readonly clusterIpRanges: readonly string[];
  readonly endpoint: Endpoint | undefined;
  readonly log: Logger;
}

/**
 * Makes namespaces of the system and the Service by which pods reach the server again when somebody deleted them. What somebody changed
 * stays: of several servers over one store each would have it its own way.
 */
export function keepServerObjects(
  deps: ObjectDeps,
  kindOf: KindOf,
  { clusterIpRanges, endpoint, log }: KeptObjectsOptions,
): { stop(): Promise<void> } {
  const systemNamespaces = bootstrapObjects.filter(({ kind }) => kind === "Namespace");
  const service = kubernetesService(clusterIpRanges, endpoint?.port ?? 6443);
  const behind = endpoint ? kubernetesEndpoints(endpoint) : [];

  async function keepService(): Promise<void> {
    const services = storedKind("", "services");
    const isThere = deps.feed.cacheOf(services).get(objectKey(services, "default", "kubernetes")) !== undefined;
    if (!isThere) for (const object of service) checkFree(deps, object);
    await ensureObjects(deps, kindOf, [...(isThere ? [] : service), ...behind]);
  }

  const kept = [
    actOnChanges(
      {
        kinds: [storedKind("", "namespaces")],
        act: () => ensureObjects(deps, kindOf, systemNamespaces),
        failed: "a namespace of the system was not made again",
      },
      deps,
      log,
    ),
    actOnChanges(
      {
        kinds: [
          storedKind("", "services"),
          storedKind("", "endpoints"),
          storedKind("discovery.k8s.io", "endpointslices"),
        ],
        only: { namespace: "default", name: "kubernetes" },
        act: keepService,
        failed: "the kubernetes service was not made again",
      },
      deps,
      log,
    ),
  ];
  return {
    async stop() {
      await Promise.all(kept.map((one) => one.stop()));
    },
  };
}

/** Throws where the address was given to another service meanwhile. */
function checkFree(deps: ObjectDeps, { kind, metadata }: KubernetesObject): void {
  if (kind !== "IPAddress") return;
  const addresses = storedKind("networking.k8s.io", "ipaddresses");
  const parent = createLister<IPAddress>(deps.feed.cacheOf(addresses)).get(
    objectKey(addresses, "", metadata.name ?? ""),
  )?.spec?.parentRef;
  if (parent && (parent.namespace !== "default" || parent.name !== "kubernetes"))
    throw new Error(`its address ${metadata.name} is held by ${parent.namespace}/${parent.name}`);
}
