import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { Logger } from "@coxswain/component/log";
import { createLister } from "../cache/lister.js";
import type { ObjectDeps } from "../objects/object-deps.js";
import { objectKey } from "../cache/object-key.js";
import { actOnChanges } from "./act-on-changes.js";
import { ensureObjects, type KindOf } from "./bootstrap.js";
import { bringUpToDate } from "./bring-up-to-date.js";
import {
  type ClusterAuthentication,
  extensionAuthentication,
  extensionAuthenticationName,
  legacyTokenTracking,
  legacyTokenTrackingName,
} from "./cluster-authentication.js";
import { storedKind } from "../catalogue/stored-kind.js";

const namespace = "kube-system";

export interface KeptAuthentication {
  /** Tells of authorities that were replaced; the old ones stay until they end, since other servers may still use them. Rejects when that could not be written. */
  tell(authentication: ClusterAuthentication): Promise<void>;
  stop(): Promise<void>;
}

/** Keeps what tells other servers whom this one trusts, and since when uses of tokens are noted: made again when it goes, set right when somebody has changed it. */
export function keepAuthentication(
  first: ClusterAuthentication,
  deps: ObjectDeps & { readonly realNow: () => number },
  kindOf: KindOf,
  log: Logger,
): KeptAuthentication {
  let told = first;
  const write = async (object: KubernetesObject): Promise<void> => {
    await ensureObjects(deps, kindOf, [object]);
    await bringUpToDate(deps, kindOf, [object]);
  };
  const writeAuthentication = (): Promise<void> =>
    told.clientCa === undefined && !told.requestHeader
      ? Promise.resolve()
      : write(extensionAuthentication(told, currentSystemConfigMap(deps, extensionAuthenticationName), deps.realNow()));
  const keep = (name: string, act: () => Promise<void>) =>
    actOnChanges(
      {
        kinds: [storedKind("", "configmaps")],
        only: { namespace, name },
        act,
        failed: `${namespace}/${name} was not brought up to date`,
      },
      deps,
      log,
    );
  const kept = [
    keep(extensionAuthenticationName, writeAuthentication),
    keep(legacyTokenTrackingName, () =>
      write(legacyTokenTracking(deps.clock.now(), currentSystemConfigMap(deps, legacyTokenTrackingName))),
    ),
  ];
  return {
    tell(authentication) {
      told = authentication;
      return writeAuthentication();
    },
    stop: async () => void (await Promise.all(kept.map((each) => each.stop()))),
  };
}

/** What is stored, perhaps by other servers of the cluster. */
export function currentSystemConfigMap({ feed }: Pick<ObjectDeps, "feed">, name: string): KubernetesObject | undefined {
  const kind = storedKind("", "configmaps");
  return createLister<KubernetesObject>(feed.cacheOf(kind)).get(objectKey(kind, namespace, name));
}
