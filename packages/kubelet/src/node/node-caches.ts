import type { Node, Pod } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { Client } from "@coxswain/client";
import { createSharedInformer, filterListerWatcher, type SharedIndexInformer } from "@coxswain/client/informers";
import type { Runtime } from "@coxswain/runtime";
import type { CachedPod } from "../objects/cached-pod.js";
import type { NodeSpec } from "./node-spec.js";

/** What all kubelets of the process read. @param only the node whose pods alone are watched */
export function createNodeCaches(
  client: Client,
  runtime: Runtime,
  only: NodeSpec | undefined,
): { readonly pods: SharedIndexInformer<CachedPod>; readonly nodes: SharedIndexInformer<DeepReadonly<Node>> } {
  const onError = (error: unknown): void => runtime.log.debug("a cache lost its server and recovers", { error });
  const pods = createSharedInformer<Pod>({
    listerWatcher: filterListerWatcher(client.core.v1.pods(), {
      fieldSelector: only ? `spec.nodeName=${only.name}` : "spec.nodeName!=",
    }),
    indexers: { node: (pod) => [pod.spec?.nodeName ?? ""], address: (pod) => [pod.status?.podIP ?? ""] },
    runtime,
    onError,
  });
  const nodes = createSharedInformer<Node>({
    listerWatcher: only
      ? filterListerWatcher(client.core.v1.nodes(), { fieldSelector: `metadata.name=${only.name}` })
      : client.core.v1.nodes(),
    runtime,
    onError,
  });
  return { pods, nodes };
}
