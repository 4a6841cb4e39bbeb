import type { DeepReadonly } from "@coxswain/api";
import type { Namespace, Node, Pod } from "@coxswain/api/core/v1";
import type { NetworkPolicy } from "@coxswain/api/networking/v1";
import type { Client } from "@coxswain/client";
import {
  createSharedInformer,
  type EventHandler,
  filterListerWatcher,
  type SharedIndexInformer,
} from "@coxswain/client/informers";
import type { Runtime } from "@coxswain/runtime";
import { RuleSync } from "../nft/rule-sync.js";
import { createNft, type Nft } from "../nft/run-nft.js";
import { readPod } from "./policy-pod.js";
import { PolicySource } from "./policy-source.js";
import { PolicyState } from "./policy-state.js";

export interface PoliciesOptions {
  readonly client: Client;
  readonly nodeName: string;
  /** @default the program of this machine */
  readonly nft?: Nft;
  readonly minSyncPeriodMs: number;
  readonly syncPeriodMs: number;
}

export interface RunningPolicies {
  /** Resolves when the table is in the kernel for the first time; rejects if it is stopped before. */
  readonly ready: Promise<void>;
  /** The table stays. */
  stop(): Promise<void>;
}

const fullPeriodMs = 3_600_000;
/** What one change costs: a pod is compared with every peer. */
const microsPerChange = 100;

type Kind = "namespaces" | "policies" | "pods" | "networks";
/** The order in which changes are made: pods come last, when it is known who they are to. */
const order: readonly Kind[] = ["networks", "namespaces", "policies", "pods"];

/** Keeps the policies of this node's pods in the kernel, until it is stopped. A table of an earlier process stays until all is known. */
export function startPolicies(runtime: Runtime, options: PoliciesOptions): RunningPolicies {
  const state = new PolicyState(options.nodeName);
  const nft = options.nft ?? createNft(runtime.ioClock);
  /** What is to be done to the state, the last for each object: it does not change while a transaction is under way. */
  const changes = new Map<Kind, Map<string, () => void>>(order.map((kind) => [kind, new Map()]));
  let isOpen = false;
  let written = (): void => {};
  const isWritten = new Promise<void>((resolve) => {
    written = resolve;
  });
  const sync = new RuleSync(runtime, {
    source: new PolicySource(state),
    nft,
    minPeriodMs: options.minSyncPeriodMs,
    retryMs: options.syncPeriodMs,
    fullPeriodMs,
    async prepare() {
      for (const kind of order) {
        const waiting = changes.get(kind);
        changes.set(kind, new Map());
        for (const change of waiting?.values() ?? []) {
          const pause = runtime.scheduler.yield(microsPerChange);
          if (pause) await pause;
          change();
        }
      }
    },
    onApplied({ elapsedMs, full }) {
      runtime.log.debug("policies are written", { elapsedMs, full });
      written();
    },
    onFailed: (error) => runtime.log.error("policies cannot be written", { error }),
  });
  const change = (kind: Kind, key: string, apply: () => void): void => {
    changes.get(kind)?.set(key, apply);
    if (isOpen) sync.request();
  };
  const caches = createPolicyCaches(runtime, options);
  const ending = new AbortController();
  const ready = follow(caches, state, { change, signal: ending.signal }).then(() => {
    isOpen = true;
    sync.request();
    return isWritten;
  });
  ready.catch((error: unknown) => ending.signal.aborted || runtime.log.error("policies cannot begin", { error }));
  return {
    ready,
    async stop() {
      ending.abort();
      await Promise.all(Object.values(caches).map((informer) => informer.stop()));
      await sync.stop();
    },
  };
}

interface PolicyCaches {
  readonly namespaces: SharedIndexInformer<DeepReadonly<Namespace>>;
  readonly policies: SharedIndexInformer<DeepReadonly<NetworkPolicy>>;
  readonly pods: SharedIndexInformer<DeepReadonly<Pod>>;
  readonly node: SharedIndexInformer<DeepReadonly<Node>>;
}

function createPolicyCaches(runtime: Runtime, { client, nodeName }: PoliciesOptions): PolicyCaches {
  const onError = (error: unknown): void => runtime.log.debug("a cache lost its server and recovers", { error });
  const shared = { runtime, onError };
  return {
    namespaces: createSharedInformer<Namespace>({ ...shared, listerWatcher: client.core.v1.namespaces() }),
    policies: createSharedInformer<NetworkPolicy>({ ...shared, listerWatcher: client.networking.v1.networkpolicies() }),
    pods: createSharedInformer<Pod>({ ...shared, listerWatcher: client.core.v1.pods(), transform: slimPod }),
    node: createSharedInformer<Node>({
      ...shared,
      listerWatcher: filterListerWatcher(client.core.v1.nodes(), { fieldSelector: `metadata.name=${nodeName}` }),
    }),
  };
}

/** Every node has every pod of the cluster in memory: only what policies look at. */
function slimPod({ metadata = {}, spec, status = {} }: Pod): Pod {
  const { name, namespace, labels, uid, resourceVersion } = metadata;
  const { nodeName, hostNetwork, containers = [], initContainers = [] } = spec ?? {};
  const ports = (all: typeof containers) =>
    all.flatMap(({ name, image, ports, restartPolicy }) =>
      ports?.some((port) => port.name !== undefined)
        ? [
            {
              name,
              ...(image !== undefined && { image: "" }),
              ports,
              ...(restartPolicy !== undefined && { restartPolicy }),
            },
          ]
        : [],
    );
  return {
    metadata: {
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(labels !== undefined && { labels }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
    },
    spec: {
      containers: ports(containers),
      initContainers: ports(initContainers),
      ...(nodeName !== undefined && { nodeName }),
      ...(hostNetwork !== undefined && { hostNetwork }),
    },
    status: {
      ...(status.phase !== undefined && { phase: status.phase }),
      ...(status.podIP !== undefined && { podIP: status.podIP }),
      ...(status.podIPs !== undefined && { podIPs: status.podIPs }),
    },
  };
}

async function follow(
  { namespaces, policies, pods, node }: PolicyCaches,
  state: PolicyState,
  { change, signal }: { change(kind: Kind, key: string, apply: () => void): void; signal: AbortSignal },
): Promise<void> {
  const registrations = [
    namespaces.addHandler(
      latest<Namespace>((key, namespace) =>
        change("namespaces", key, () => state.putNamespace(key, namespace && (namespace.metadata?.labels ?? {}))),
      ),
    ),
    policies.addHandler(
      latest<NetworkPolicy>((key, policy) => change("policies", key, () => state.putPolicy(key, policy))),
    ),
    pods.addHandler(podHandler(state, change)),
    node.addHandler(
      latest<Node>((key, found) => change("networks", key, () => state.putNetworks(found?.spec?.podCIDRs ?? []))),
    ),
  ];
  for (const informer of [namespaces, policies, pods, node]) informer.start();
  for (const registration of registrations) await registration.whenSynced(signal);
}

interface Named {
  metadata?: { name?: string; namespace?: string };
}

const keyOf = ({ metadata = {} }: DeepReadonly<Named>): string =>
  metadata.namespace === undefined ? (metadata.name ?? "") : `${metadata.namespace}/${metadata.name ?? ""}`;

/** Each object as it is now; undefined: it is gone. */
const latest = <T extends Named>(
  put: (key: string, object: DeepReadonly<T> | undefined) => void,
): EventHandler<DeepReadonly<T>> => ({
  onAdd: (object) => put(keyOf(object as DeepReadonly<Named>), object),
  onUpdate: (_old, object) => put(keyOf(object as DeepReadonly<Named>), object),
  onDelete: (object) => put(keyOf(object as DeepReadonly<Named>), undefined),
});

/** Most updates of a pod change nothing that policies look at. */
function podHandler(
  state: PolicyState,
  change: (kind: Kind, key: string, apply: () => void) => void,
): EventHandler<DeepReadonly<Pod>> {
  const put = (pod: DeepReadonly<Pod>): void => {
    const read = readPod(pod);
    change("pods", keyOf(pod), () => (read === undefined ? state.removePod(keyOf(pod)) : state.putPod(read)));
  };
  return {
    onAdd: put,
    onUpdate: (old, pod) => (JSON.stringify(readPod(old)) === JSON.stringify(readPod(pod)) ? undefined : put(pod)),
    onDelete: (pod) => change("pods", keyOf(pod), () => state.removePod(keyOf(pod))),
  };
}
