import { createHash } from "node:crypto";
import { createPodAddresses, type PodAddresses } from "../addresses/pod-addresses.js";
import { noPullRecords } from "../images/pull-records.js";
import { planNode } from "../node/node-object.js";
import type { NodePlatform, PlatformContext } from "../node/node-platform.js";
import { findContainer } from "../objects/cached-pod.js";
import { createPodSources } from "../sources/create-pod-sources.js";
import { expandCommand } from "../sources/expand-variables.js";
import type { PodSources } from "../sources/pod-sources.js";
import type { ReferencedObjects } from "../sources/referenced-objects.js";
import { makeMounts } from "../worker/plan-mounts.js";
import type { PodHost } from "../worker/pod-host.js";
import type { BehaviourRules } from "./behaviour.js";
import type { ImageRule } from "./image-rules.js";
import { addressOf, podRangeOf } from "./node-addresses.js";
import type { SimulatedConfig } from "./own-config.js";
import { createSimulatedHost } from "./simulated-host.js";
import type { SimulatedMachine } from "./simulated-machine.js";
import { SimulatedRuntime } from "./simulated-runtime.js";

export interface SimulatedPlatformOptions {
  readonly rules: BehaviourRules;
  readonly imageRules: readonly ImageRule[];
  /** Shared by the nodes of a process, as are the objects that pods refer to. */
  readonly machine: SimulatedMachine;
  readonly objects: ReferencedObjects;
}

export interface SimulatedPlatform extends NodePlatform {
  /** Of the node's pod range. */
  readonly addresses: PodAddresses;
}

/** A node without a machine. */
export function createSimulatedPlatform(
  { rules, imageRules, machine, objects }: SimulatedPlatformOptions,
  { spec, index, kubeletPort, client, runtime, node }: PlatformContext,
): SimulatedPlatform {
  const hostIPs = [addressOf(spec, index)];
  const addresses = lazyAddresses(() => node()?.spec?.podCIDR || podRangeOf(spec, index));
  const sources = createPodSources({
    client,
    objects,
    node,
    hostIPs,
    openVolume: (name, capacityBytes) => machine.volumes.open(name, capacityBytes),
  });
  const host = createSimulatedHost(sources);
  const complete = (config: SimulatedConfig): Promise<SimulatedConfig> => completeConfig(config, { sources, host });
  const containers = new SimulatedRuntime({ runtime, addresses, rules, imageRules, machine, complete, node });
  const idOf = (what: string): string => createHash("md5").update(`${what}/${spec.name}`).digest("hex");
  return {
    hostIPs,
    addresses,
    containers,
    prober: containers.prober,
    host,
    sources,
    credentials: () => Promise.resolve([]),
    pulls: noPullRecords,
    volumesInUse: () => [],
    registered: () => Promise.resolve(),
    nodeChanged: () => {},
    node: (now) =>
      planNode(spec, {
        address: addressOf(spec, index),
        kubeletPort,
        runtimeVersion: `${containers.name}://${containers.version}`,
        ids: { machine: idOf("machine"), boot: idOf("boot") },
        now,
      }),
    nodeStats: () => containers.nodeStats(),
    problems: () => [],
    admit: () => ({ admitted: true }),
    adopt: (pod) => containers.adopt(pod),
    podChanged(pod) {
      containers.renew(pod);
      host.renew(pod);
    },
    sweep: () => Promise.resolve(true),
    deleteVolume: (name) => machine.volumes.remove(name),
    losePower() {
      containers.lose();
      host.forgetAll();
    },
    stop: () => Promise.resolve(),
  };
}

/** A container that an earlier process started, as `startContainer` of the worker would configure it. */
async function completeConfig(
  config: SimulatedConfig,
  { sources, host }: { readonly sources: PodSources; readonly host: PodHost },
): Promise<SimulatedConfig> {
  const { pod, name } = config;
  const container = findContainer(pod, name);
  if (!container) return config;
  const podIPs = (pod.status?.podIPs ?? []).map(({ ip }) => ip);
  const env = await sources.environment(pod, container, podIPs);
  const volumes = await host.mount(pod, new AbortController().signal);
  return {
    ...config,
    env,
    ...expandCommand(container, env),
    mounts: await makeMounts(host, { pod, container, volumes, env }),
  };
}

/** The range is known only once the Node is; the first pod asks for it. */
function lazyAddresses(range: () => string): PodAddresses {
  let made: PodAddresses | undefined;
  const get = (): PodAddresses => (made ??= createPodAddresses(range()));
  return { take: () => get().take(), claim: (ip) => get().claim(ip), release: (ip) => get().release(ip) };
}
