import type { TokenRequest } from "@coxswain/api/authentication/v1";
import type { Node } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { Client } from "@coxswain/client";
import { type CachedPod, nameOf, namespaceOf, uidOf } from "../objects/cached-pod.js";
import { type FileSource, MountError, VolumesError } from "../runtime/container-runtime.js";
import { claimedVolume } from "./claimed-volume.js";
import type { DownwardFacts } from "./downward-api.js";
import { readEnvironment } from "./environment.js";
import { createObjectContents } from "./object-content.js";
import type { PodPlace, PodSources } from "./pod-sources.js";
import type { ReferencedObjects } from "./referenced-objects.js";
import { readVolume, type VolumeObjects } from "./volumes.js";

export interface PodSourcesOptions {
  /** In the node's name. */
  readonly client: Client;
  readonly objects: ReferencedObjects;
  node(): DeepReadonly<Node> | undefined;
  readonly hostIPs: readonly string[];
  /** Makes the files of a persistent volume ready, by its name; needed for `mount`. */
  openVolume?(name: string, capacityBytes: number): Promise<void>;
  /** Where a pod finds services. @default only the API server's */
  serviceVariables?(pod: CachedPod): ReadonlyMap<string, string>;
}

/** Variables and volumes of the pods of one node. */
export function createPodSources(options: PodSourcesOptions): PodSources {
  const { client, objects, node, hostIPs } = options;
  let lastVariables = { host: "", port: 0, variables: variablesFor("", 0) };
  const factsOf = (podIPs: readonly string[]): DownwardFacts => ({
    hostIPs,
    podIPs,
    allocatable: node()?.status?.allocatable,
  });

  const contents = createObjectContents(client, objects);

  const open = async (volume: string, capacityBytes: number): Promise<void> => {
    if (!options.openVolume) throw new Error("this node has no simulated volumes");
    await options.openVolume(volume, capacityBytes);
  };

  const volumeObjects: VolumeObjects = {
    configMap: (pod, name) => contents.configMap(namespaceOf(pod), name),
    secret: (pod, name) => contents.secret(namespaceOf(pod), name),
    claim: (pod, claim, isReadOnly) => claimedVolume({ client, namespace: namespaceOf(pod), claim, isReadOnly, open }),
    token: (pod, request) => requestToken(client, pod, request),
    facts: () => factsOf([]),
  };

  return {
    mount: (place) => readVolumes(place, volumeObjects),
    async environment(pod, container, podIPs) {
      const namespace = namespaceOf(pod);
      return readEnvironment(pod, container, {
        objects: {
          configMap: async (name) => texts(await contents.configMap(namespace, name)),
          secret: async (name) => texts(await contents.secret(namespace, name)),
        },
        facts: factsOf(podIPs),
        service: options.serviceVariables?.(pod) ?? (await apiServerVariables()),
      });
    },
  };

  /** Where pods find the API server; a node that cannot read the service leaves it out. */
  async function apiServerVariables(): Promise<ReadonlyMap<string, string>> {
    const service = await objects.get(client, "services", "default", "kubernetes").catch(() => undefined);
    const host = service?.spec?.clusterIP ?? "";
    const port = service?.spec?.ports?.[0]?.port ?? 0;
    // Containers hold what they were started with: one map for all that were started with the same.
    if (host !== lastVariables.host || port !== lastVariables.port)
      lastVariables = { host, port, variables: variablesFor(host, port) };
    return lastVariables.variables;
  }
}

/** Pure: the variables of the Service `kubernetes`; none where there is no such service. */
function variablesFor(host: string, port: number): ReadonlyMap<string, string> {
  if (host === "" || port === 0) return new Map();
  const url = `tcp://${host}:${port}`;
  return new Map([
    ["KUBERNETES_SERVICE_HOST", host],
    ["KUBERNETES_SERVICE_PORT", String(port)],
    ["KUBERNETES_SERVICE_PORT_HTTPS", String(port)],
    ["KUBERNETES_PORT", url],
    [`KUBERNETES_PORT_${port}_TCP`, url],
    [`KUBERNETES_PORT_${port}_TCP_PROTO`, "tcp"],
    [`KUBERNETES_PORT_${port}_TCP_PORT`, String(port)],
    [`KUBERNETES_PORT_${port}_TCP_ADDR`, host],
  ]);
}

const texts = (values: ReadonlyMap<string, Uint8Array> | undefined): Map<string, string> | undefined =>
  values && new Map([...values].map(([key, bytes]) => [key, Buffer.from(bytes).toString("utf8")]));

async function requestToken(
  client: Client,
  pod: CachedPod,
  { audience, expirationSeconds = 3600 }: { audience?: string; expirationSeconds?: number },
): Promise<string> {
  const request: TokenRequest = {
    spec: {
      audiences: audience ? [audience] : [],
      expirationSeconds,
      boundObjectRef: { kind: "Pod", apiVersion: "v1", name: nameOf(pod), uid: uidOf(pod) },
    },
  };
  const account = pod.spec?.serviceAccountName || "default";
  const accounts = client.core.v1.serviceaccounts(namespaceOf(pod));
  return (await accounts.subresource<TokenRequest>("token").create(account, request)).status?.token ?? "";
}

/** @throws VolumesError with all that are not there yet */
async function readVolumes(place: PodPlace, from: VolumeObjects): Promise<ReadonlyMap<string, FileSource>> {
  const volumes = new Map<string, FileSource>();
  const problems = new Map<string, string>();
  for (const volume of place.pod.spec?.volumes ?? [])
    try {
      volumes.set(volume.name, await readVolume(place, volume, from));
    } catch (error) {
      if (!(error instanceof MountError)) throw error;
      problems.set(volume.name, error.message);
    }
  if (problems.size > 0) throw new VolumesError(problems);
  return volumes;
}
