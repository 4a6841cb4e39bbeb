import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { createLister } from "../../cache/lister.js";
import { objectKey } from "../../cache/object-key.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import { type Controller, createWholeController } from "../../controllers/controller.js";
import type { ControllerContext } from "../../controllers/controller-context.js";
import type { ObjectDeps } from "../../objects/object-deps.js";
import { bringUpToDate } from "../own-writes/bring-up-to-date.js";
import { ensureObjects } from "../own-writes/ensure-objects.js";
import {
  type ClusterAuthentication,
  extensionAuthentication,
  extensionAuthenticationName,
  legacyTokenTracking,
  legacyTokenTrackingName,
} from "./config-maps.js";

const namespace = "kube-system";

export interface ClusterAuthenticationControllers {
  readonly controllers: readonly Controller[];
  /**
   * Publishes authorities that were replaced; the old ones stay until they expire, since other servers may still use
   * them. Rejects when that could not be written.
   */
  publish(authentication: ClusterAuthentication): Promise<void>;
}

/**
 * Maintains the ConfigMaps that publish to other servers whom this one trusts, and since when uses of tokens are noted:
 * made again when deleted, corrected when changed.
 */
export function createClusterAuthentication(
  context: ControllerContext,
  first: ClusterAuthentication,
  realNow: () => number,
): ClusterAuthenticationControllers {
  const { objects, kindOf } = context;
  let published = first;
  const write = async (object: KubernetesObject): Promise<void> => {
    await ensureObjects(objects, kindOf, [object]);
    await bringUpToDate(objects, kindOf, [object]);
  };
  const writeAuthentication = (): Promise<void> =>
    published.clientCa === undefined && !published.requestHeader
      ? Promise.resolve()
      : write(
          extensionAuthentication(published, currentSystemConfigMap(objects, extensionAuthenticationName), realNow()),
        );
  const controllerOf = (name: string, reconcile: () => Promise<void>): Controller =>
    createWholeController(context, {
      name,
      failure: `${namespace}/${name} was not brought up to date`,
      watched: [{ kind: storedKind("", "configmaps"), only: { namespace, name } }],
      reconcile,
    });
  return {
    controllers: [
      controllerOf(extensionAuthenticationName, writeAuthentication),
      controllerOf(legacyTokenTrackingName, () =>
        write(
          legacyTokenTracking(objects.runtime.clock.now(), currentSystemConfigMap(objects, legacyTokenTrackingName)),
        ),
      ),
    ],
    publish(authentication) {
      published = authentication;
      return writeAuthentication();
    },
  };
}

/** What is stored, perhaps by other servers of the cluster. */
export function currentSystemConfigMap({ feed }: Pick<ObjectDeps, "feed">, name: string): KubernetesObject | undefined {
  const kind = storedKind("", "configmaps");
  return createLister<KubernetesObject>(feed.cacheOf(kind), "leave out").get(objectKey(kind, namespace, name));
}
