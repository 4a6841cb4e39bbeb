import { isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import type { PodCgroups } from "./cgroups/pod-cgroups.js";
import type { NodeLogs } from "./logs/node-logs.js";
import type { UserNamespaces } from "./machine/user-namespaces.js";
import { type CachedPod, uidOf } from "./objects/cached-pod.js";
import type { PodAllocations } from "./recovery/pod-allocations.js";
import { RuntimeError, type RuntimeStatus } from "./runtime/container-runtime.js";
import type { NodeVolumes } from "./volumes/node-volumes.js";
import type { PodHost } from "./worker/pod-host.js";

export interface RealHostOptions {
  readonly client: Client;
  readonly volumes: NodeVolumes;
  readonly cgroups: PodCgroups;
  readonly logs: NodeLogs;
  readonly allocations: PodAllocations;
  readonly userNamespaces: UserNamespaces;
  /** As it was reported last. */
  runtimeStatus(): RuntimeStatus | undefined;
}

/** Pods on the machine that the kubelet runs on. */
export function createRealHost({
  client,
  volumes,
  cgroups,
  logs,
  allocations,
  userNamespaces,
  runtimeStatus,
}: RealHostOptions): PodHost & {
  /** Pods that have something on the machine besides containers. */
  podUids(): Promise<readonly string[]>;
} {
  return {
    get hasRecursiveReadOnly() {
      return runtimeStatus()?.handlers.find(({ name }) => name === "")?.recursiveReadOnlyMounts ?? false;
    },
    mount: (pod, signal) => volumes.mount(pod, signal),
    mountSubPath: (request) => volumes.mountSubPath(request),
    ensureGroup: (pod) => cgroups.ensure(pod),
    resizeGroup: (pod, order) => cgroups.resize(pod, order),
    allocation(podUid) {
      const [allocated, actuated] = [allocations.allocated(podUid), allocations.actuated(podUid)];
      return { ...(allocated && { allocated }), ...(actuated && { actuated }) };
    },
    allocate: (podUid, allocation) => allocations.allocate(podUid, allocation),
    actuate: (podUid, allocation) => allocations.actuate(podUid, allocation),
    runtimeHandler: (pod) => handlerOf(client, pod),
    async userNamespace(pod, runtimeHandler) {
      if (pod.spec?.hostUsers !== false) return undefined;
      refuseWithoutUserNamespaces(runtimeStatus(), runtimeHandler);
      return userNamespaces.of(uidOf(pod));
    },
    async release(podUid) {
      await volumes.unmount(podUid);
      await cgroups.remove(podUid);
      await userNamespaces.release(podUid);
    },
    async discard(podUid) {
      await logs.removePod(podUid);
      await logs.sweepLinks();
      await volumes.discard(podUid);
      await allocations.forget(podUid);
    },
    podUids: async () => [
      ...(await volumes.podUids()),
      ...(await cgroups.podUids()),
      ...(await logs.podUids()),
      ...allocations.podUids(),
    ],
  };
}

/** Upstream's `pkg/kubelet/userns/userns_manager.go`, `GetOrCreateUserNamespaceMappings`. @throws RuntimeError */
function refuseWithoutUserNamespaces(status: RuntimeStatus | undefined, runtimeHandler: string): void {
  const handlers = status?.handlers ?? [];
  const handler = handlers.find(({ name }) => name === runtimeHandler);
  if (handler?.userNamespaces) return;
  const whose = runtimeHandler === "" ? "runtime" : `RuntimeClass handler ${JSON.stringify(runtimeHandler)}`;
  // Old runtimes report no handlers at all.
  const reason = handlers.length > 0 && !handler ? `: the handler ${JSON.stringify(runtimeHandler)} is not known` : "";
  throw new RuntimeError(`can't set \`spec.hostUsers: false\`, ${whose} does not support user namespaces${reason}`);
}

/** Upstream's `pkg/kubelet/runtimeclass/runtimeclass_manager.go`, `LookupRuntimeHandler`. */
async function handlerOf(client: Client, pod: CachedPod): Promise<string> {
  const name = pod.spec?.runtimeClassName;
  if (!name) return "";
  try {
    return (await client.node.v1.runtimeclasses().get(name)).handler;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new RuntimeError(`runtimeclass.node.k8s.io "${name}" not found`);
  }
}
