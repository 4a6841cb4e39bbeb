import type { Node } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { Client } from "@coxswain/client";
import type { Runtime } from "@coxswain/runtime";
import type { CachedPod } from "../objects/cached-pod.js";
import type { ReferencedObjects } from "./referenced-objects.js";
import { createServiceAccountTokens } from "./service-account-tokens.js";
import { createVolumeContents, type VolumeContents } from "./volume-contents.js";
import { createWatchedObjects } from "./watched-objects.js";

/** What a real node reads of the API server for its pods: watched objects and tokens. */
export interface NodeSources {
  readonly objects: ReferencedObjects;
  readonly contents: VolumeContents;
  /** The pod is here; called again when its spec changed. */
  register(pod: CachedPod): void;
  /** The pod is gone: what only it needed is no longer followed. */
  forget(podUid: string): void;
  stop(): Promise<void>;
}

export interface NodeSourcesOptions {
  /** In the node's name. */
  readonly client: Client;
  readonly runtime: Runtime;
  readonly hostIPs: readonly string[];
  node(): DeepReadonly<Node> | undefined;
  /** Something that the pod's volumes are made from changed: it is to be synced. */
  onChange(podUid: string): void;
}

export function createNodeSources({ client, runtime, hostIPs, node, onChange }: NodeSourcesOptions): NodeSources {
  const objects = createWatchedObjects({ client, runtime, onChange });
  const tokens = createServiceAccountTokens({ client, runtime, onDue: onChange });
  return {
    objects,
    contents: createVolumeContents({ client, objects, tokens, hostIPs, node }),
    register: (pod) => objects.register(pod),
    forget(podUid) {
      objects.forget(podUid);
      tokens.forget(podUid);
    },
    async stop() {
      tokens.stop();
      await objects.stop();
    },
  };
}
