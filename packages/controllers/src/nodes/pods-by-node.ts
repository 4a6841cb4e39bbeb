import type { DeepReadonly } from "@coxswain/api";
import type { Pod } from "@coxswain/api/core/v1";
import type { Indexers } from "@coxswain/client/informers";

/** The name of the index; all who ask for it share one. */
export const nodeIndex = "spec.nodeName";

/** Pods by the node that they are bound to. */
export const podsByNode: Indexers<DeepReadonly<Pod>> = {
  [nodeIndex]: ({ spec }) => (spec?.nodeName ? [spec.nodeName] : []),
};
