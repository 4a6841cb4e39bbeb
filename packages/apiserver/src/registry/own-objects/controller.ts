import type { IPAddress } from "@coxswain/api/networking/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { createLister } from "../../cache/lister.js";
import { objectKey } from "../../cache/object-key.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import { type Controller, createWholeController } from "../../controllers/controller.js";
import type { ControllerContext } from "../../controllers/controller-context.js";
import type { ObjectDeps } from "../../objects/object-deps.js";
import { type Endpoint, kubernetesEndpoints, kubernetesService } from "../kubernetes-service/objects.js";
import { ensureObjects } from "../own-writes/ensure-objects.js";
import { bootstrapObjects } from "./bootstrap-objects.js";

export interface OwnObjectsOptions {
  readonly clusterIpRanges: readonly string[];
  readonly endpoint: Endpoint | undefined;
}

/**
 * Makes namespaces of the system and the Service by which pods reach the server again when somebody deleted them. What somebody changed
 * stays: of several servers over one store each would have it its own way.
 */
export function createOwnObjectControllers(
  context: ControllerContext,
  { clusterIpRanges, endpoint }: OwnObjectsOptions,
): readonly Controller[] {
  const { objects, kindOf } = context;
  const systemNamespaces = bootstrapObjects.filter(({ kind }) => kind === "Namespace");
  const service = kubernetesService(clusterIpRanges, endpoint?.port ?? 6443);
  const behind = endpoint ? kubernetesEndpoints(endpoint) : [];

  async function reconcileService(): Promise<void> {
    const services = storedKind("", "services");
    const isThere = objects.feed.cacheOf(services).has(objectKey(services, "default", "kubernetes"));
    if (!isThere) for (const object of service) checkFree(objects, object);
    await ensureObjects(objects, kindOf, [...(isThere ? [] : service), ...behind]);
  }

  return [
    createWholeController(context, {
      name: "system-namespaces",
      failure: "a namespace of the system was not made again",
      watched: systemNamespaces.map(({ metadata: { name = "" } }) => ({
        kind: storedKind("", "namespaces"),
        only: { namespace: "", name },
      })),
      reconcile: () => ensureObjects(objects, kindOf, systemNamespaces),
    }),
    createWholeController(context, {
      name: "kubernetes-service",
      failure: "the kubernetes service was not made again",
      watched: [
        storedKind("", "services"),
        storedKind("", "endpoints"),
        storedKind("discovery.k8s.io", "endpointslices"),
      ].map((kind) => ({ kind, only: { namespace: "default", name: "kubernetes" } })),
      reconcile: reconcileService,
    }),
  ];
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
