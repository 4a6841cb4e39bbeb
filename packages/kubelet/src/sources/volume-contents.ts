import type {
  ClusterTrustBundleProjection,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
} from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { Client } from "@coxswain/client";
import type { CachedPod } from "../objects/cached-pod.js";
import { type DownwardFacts, fieldValue, type ResourceField, resourceValue } from "./downward-api.js";
import { configMapContent, secretContent } from "./object-content.js";
import type { ReferencedObjects } from "./referenced-objects.js";
import type { ServiceAccountTokens, TokenSpec } from "./service-account-tokens.js";
import { readTrustAnchors } from "./trust-anchors.js";

/** What the volumes of a real node's pods are filled from and resolved by. */
export interface VolumeContents {
  /** Keys and values; undefined: there is no such object. */
  configMap(namespace: string, name: string): Promise<ReadonlyMap<string, Uint8Array> | undefined>;
  secret(namespace: string, name: string): Promise<ReadonlyMap<string, Uint8Array> | undefined>;
  /** @throws Error of the server, also where there is none */
  claim(namespace: string, name: string): Promise<DeepReadonly<PersistentVolumeClaim>>;
  persistentVolume(name: string): Promise<DeepReadonly<PersistentVolume>>;
  /** Of the pod's service account. */
  token(pod: CachedPod, spec: TokenSpec): Promise<string>;
  /** The same with its end. */
  expiringToken(pod: CachedPod, spec: TokenSpec): Promise<{ readonly token: string; readonly expiresAt: number }>;
  /** PEM. */
  trustAnchors(projection: DeepReadonly<ClusterTrustBundleProjection>): Promise<string>;
  /** A field of the pod, as text. @throws ConfigError */
  field(pod: CachedPod, path: string): string;
  /** A container's request or limit, as text. @throws ConfigError */
  resource(pod: CachedPod, field: ResourceField): string;
}

export interface VolumeContentsOptions {
  /** In the node's name. */
  readonly client: Client;
  readonly objects: ReferencedObjects;
  readonly tokens: ServiceAccountTokens;
  readonly hostIPs: readonly string[];
  node(): DeepReadonly<Node> | undefined;
}

export function createVolumeContents({
  client,
  objects,
  tokens,
  hostIPs,
  node,
}: VolumeContentsOptions): VolumeContents {
  const factsOf = (pod: CachedPod): DownwardFacts => ({
    hostIPs,
    podIPs: pod.status?.podIPs?.map(({ ip }) => ip) ?? [],
    allocatable: node()?.status?.allocatable,
  });
  const { persistentvolumeclaims, persistentvolumes } = client.core.v1;
  return {
    async configMap(namespace, name) {
      const found = await objects.get(client, "configmaps", namespace, name);
      return found && configMapContent(found);
    },
    async secret(namespace, name) {
      const found = await objects.get(client, "secrets", namespace, name);
      return found && secretContent(found);
    },
    // Claims are read anew each time: a pod must not start on a claim as it was.
    claim: (namespace, name) => persistentvolumeclaims(namespace).get(name),
    persistentVolume: (name) => persistentvolumes().get(name),
    token: async (pod, spec) => (await tokens.get(pod, spec)).token,
    expiringToken: (pod, spec) => tokens.get(pod, spec),
    trustAnchors: (projection) => readTrustAnchors(client, projection),
    field: (pod, path) => fieldValue(pod, path, factsOf(pod)),
    resource: (pod, field) => resourceValue(pod, field, undefined, factsOf(pod)),
  };
}
