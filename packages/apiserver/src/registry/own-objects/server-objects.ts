import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";
import { gatedPolicy } from "../../authorization/rbac/gated-policy.js";
import { objectKey } from "../../cache/object-key.js";
import type { KindOf } from "../../catalogue/kind-finder.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import type { ObjectDeps } from "../../objects/object-deps.js";
import {
  type ClusterAuthentication,
  extensionAuthentication,
  extensionAuthenticationName,
  legacyTokenTracking,
} from "../cluster-authentication/config-maps.js";
import { currentSystemConfigMap } from "../cluster-authentication/controller.js";
import { bootstrapFlowControl } from "../flow-control/bootstrap-flow-control.js";
import { type Endpoint, kubernetesEndpoints, kubernetesService } from "../kubernetes-service/objects.js";
import { bringUpToDate } from "../own-writes/bring-up-to-date.js";
import { ensureFirstObjects } from "../own-writes/ensure-first-objects.js";
import { ensureObjects } from "../own-writes/ensure-objects.js";
import type { PreparedObjects } from "../own-writes/prepared-objects.js";
import { reconcilePolicy } from "../rbac/ensure-policy.js";
import { defaultServiceCidr } from "../services/default-cidr.js";
import { bootstrapObjects } from "./bootstrap-objects.js";
import { localApiServices } from "./local-api-services.js";

export interface ServerObjectsOptions extends ClusterAuthentication {
  readonly clusterIpRanges: readonly string[];
  /** The real time, in which certificates end. */
  readonly realNow: number;
  /** The kinds that clients reach. */
  readonly served: readonly AnyKind[];
  /** Left out: the server's address is not published. */
  readonly endpoint?: Endpoint | undefined;
  /** Beside what every server makes. */
  readonly more: readonly KubernetesObject[];
  /** What is the same on every server, ready to be written. @default it is made */
  readonly prepared?: (() => Promise<PreparedObjects>) | undefined;
  /** What an empty store gets besides. @default nothing */
  readonly first?: (() => Promise<PreparedObjects>) | undefined;
  /** Called when all of them are there. */
  made(): void;
}

/** What depends on nothing but the kinds that are served; the time stands in it as the time at which it is made. */
export const sameEverywhere = (now: number, served: readonly AnyKind[]): KubernetesObject[] => [
  ...bootstrapObjects,
  ...bootstrapFlowControl(now),
  ...localApiServices(now, served),
];

/** Makes what a server needs to have in its store, in one transaction, and updates the objects that describe the server itself. */
export async function ensureServerObjects(
  deps: ObjectDeps,
  kindOf: KindOf,
  options: ServerObjectsOptions,
): Promise<void> {
  const { clusterIpRanges, endpoint, more } = options;
  const now = deps.runtime.clock.now();
  const about = [
    extensionAuthentication(options, currentSystemConfigMap(deps, extensionAuthenticationName), options.realNow),
    ...(endpoint ? kubernetesEndpoints(endpoint) : []),
  ];
  const services = storedKind("", "services");
  // One that is there keeps its address, whatever the flags are now.
  const service = deps.feed.cacheOf(services).has(objectKey(services, "default", "kubernetes"))
    ? []
    : kubernetesService(clusterIpRanges, endpoint?.port ?? 6443);
  if (options.first) await ensureFirstObjects(deps, options.first);
  await reconcilePolicy(deps, kindOf);
  await ensureObjects(
    deps,
    kindOf,
    [
      ...sameEverywhere(now, options.served),
      ...gatedPolicy(deps.gates),
      defaultServiceCidr(clusterIpRanges, now),
      ...service,
      legacyTokenTracking(now),
      ...about,
      ...more,
    ],
    options.prepared,
  );
  options.made();
  await bringUpToDate(deps, kindOf, options.clientCa === undefined && !options.requestHeader ? about.slice(1) : about);
}
