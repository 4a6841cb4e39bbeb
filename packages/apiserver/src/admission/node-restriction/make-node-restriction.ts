import type { PersistentVolume, PersistentVolumeClaim } from "@coxswain/api/core/v1";
import type { CSIDriver } from "@coxswain/api/storage/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { StoredPod } from "@coxswain/kinds/core/pod";
import type { Authorizer } from "../../authorization/attributes.js";
import type { CacheFeed } from "../../cache/cache-feed.js";
import { createLister, type Lister } from "../../cache/lister.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import type { AdmissionPlugin } from "../admission.js";
import { createNodeRestriction } from "./node-restriction.js";

export interface NodeRestrictionDeps {
  readonly feed: CacheFeed;
  readonly authorizer: Authorizer;
  readonly gates: { enabled(gate: string): boolean };
}

export function makeNodeRestriction({ feed, authorizer, gates }: NodeRestrictionDeps): AdmissionPlugin {
  const listerOf = <T>(group: string, resource: string): Lister<T> =>
    createLister(feed.cacheOf(storedKind(group, resource)));
  return createNodeRestriction({
    pods: listerOf<StoredPod>("", "pods"),
    nodes: listerOf<KubernetesObject>("", "nodes"),
    claims: listerOf<PersistentVolumeClaim>("", "persistentvolumeclaims"),
    volumes: listerOf<PersistentVolume>("", "persistentvolumes"),
    drivers: listerOf<CSIDriver>("storage.k8s.io", "csidrivers"),
    authorizer,
    gates,
  });
}
