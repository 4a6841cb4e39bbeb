import type { Node, Pod } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { isNotFound } from "@coxswain/apimachinery/status";
import type { Client, Patch } from "@coxswain/client";
import type { RecordedEvent } from "@coxswain/client/events";
import type { Runtime } from "@coxswain/runtime";
import { during } from "@coxswain/runtime/activity";
import type { OverBudget } from "../languages/budget.js";
import type { ProcessorShare } from "../languages/processor-share.js";
import { type StageSurroundings, stageFunctions } from "../languages/template/stage-functions.js";
import { type CachedPod, nameOf, namespaceOf, uidOf } from "../objects/cached-pod.js";
import type { CompiledStage } from "./compile-stage.js";
import type { StageAction, StagePatchBody } from "./plan-steps.js";
import { goJson, type SelectedObject } from "./selected-object.js";
import { StageBudgets } from "./stage-budgets.js";
import type { StageEvent, StageObject } from "./stage-object.js";
import { createStagePlayer, type StagePlayerOptions } from "./stage-player.js";
import { createStageSource, type StageSource } from "./stage-source.js";

export type CachedNode = DeepReadonly<Node>;

/** What Stages ask of the node that an object belongs to. */
export interface StagedNode {
  readonly name: string;
  readonly hostIPs: readonly string[];
  readonly isConnected: boolean;
  /** The pod's addresses, the same each time. */
  podIPsOf(uid: string): readonly string[];
  /** From now on Stages write the pod's status. */
  handOver(pod: CachedPod): void;
  /** From now on Stages write the node's status. */
  handOverStatus(): void;
}

/** Plays Stages on the pods and nodes of a process. */
export interface NodeStages {
  /** Whether there are any for pods, and for nodes. */
  readonly hasPodStages: boolean;
  readonly hasNodeStages: boolean;
  offerPod(pod: CachedPod): CompiledStage | undefined;
  dropPod(uid: string): void;
  offerNode(node: CachedNode): void;
  dropNode(uid: string): void;
  /** Whether a Stage that writes the status selects the node as it is. */
  drivesNode(node: CachedNode): boolean;
  start(signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

export interface NodeStagesOptions {
  readonly client: Client;
  readonly given: readonly StageObject[];
  readonly fromCluster: boolean;
  readonly kubeletPort: number;
  readonly version: string;
  nodeOf(name: string): StagedNode | undefined;
  /** All pods and nodes of the process, which are offered again when Stages change. */
  objects(): { readonly pods: readonly CachedPod[]; readonly nodes: readonly CachedNode[] };
  /** A pod whose Stages changed. */
  podChanged(pod: CachedPod): void;
  recordPod(nodeName: string, pod: CachedPod, event: RecordedEvent): void;
  recordNode(nodeName: string, event: RecordedEvent): void;
  readonly processor: ProcessorShare;
  readonly runtime: Runtime;
}

export function createNodeStages(options: NodeStagesOptions): NodeStages {
  const { client, runtime, version, processor } = options;
  const { clock, activity } = runtime;
  const around = { now: () => clock.now(), startTime: clock.now(), version };
  let isStopped = false;

  const source = createStageSource({
    client,
    given: options.given,
    fromCluster: options.fromCluster,
    onChange: () => void during(activity, offerAll),
    runtime,
  });

  const shared = {
    runtime,
    processor,
    refuse: (stage: CompiledStage, error: OverBudget) => source.refuse(stage, error),
    isRefused: (stage: CompiledStage) => source.isRefused(stage),
  };
  const pods = createStagePlayer<CachedPod>({
    ...podActions(options, around),
    stages: () => source.ofKind("Pod"),
    ...shared,
  });
  const nodes = createStagePlayer<CachedNode>({
    ...nodeActions(options, around),
    stages: () => source.ofKind("Node"),
    ...shared,
  });

  /** An object that is offered costs something also where no expression is evaluated. */
  async function shareProcessor(): Promise<void> {
    processor.charge(1);
    await processor.turn();
  }

  async function offerAll(): Promise<void> {
    const { pods: allPods, nodes: allNodes } = options.objects();
    for (const node of allNodes) {
      if (isStopped) return;
      nodes.offer(node);
      await shareProcessor();
    }
    for (const pod of allPods) {
      if (isStopped) return;
      options.podChanged(pod);
      await shareProcessor();
    }
  }

  return {
    get hasPodStages() {
      return source.ofKind("Pod").length > 0;
    },
    get hasNodeStages() {
      return source.ofKind("Node").length > 0;
    },
    offerPod: (pod) => pods.offer(pod),
    dropPod: (uid) => pods.drop(uid),
    offerNode: (node) => void nodes.offer(node),
    dropNode: (uid) => nodes.drop(uid),
    drivesNode: (node) => isDriven(node, source),
    start: (signal) => source.start(signal),
    async stop() {
      isStopped = true;
      await source.stop();
      await Promise.all([pods.stop(), nodes.stop()]);
    },
  };
}

type Around = Pick<StageSurroundings, "now" | "startTime" | "version">;
type Actions<T extends CachedPod | CachedNode> = Pick<StagePlayerOptions<T>, "kind" | "functionsFor" | "begin" | "act">;

function podActions(options: NodeStagesOptions, around: Around): Actions<CachedPod> {
  const { client, nodeOf } = options;
  return {
    kind: "Pod",
    functionsFor: (pod) => stageFunctions({ ...around, ...podSurroundings(pod, nodeOf) }),
    begin(pod, stage) {
      const node = nodeOf(pod.spec?.nodeName ?? "");
      if (!node?.isConnected) return false;
      if (stage.drivesStatus) node.handOver(pod);
      return true;
    },
    act: (pod, action) =>
      carryOut<Pod>(pod, action, {
        record: (event) => options.recordPod(pod.spec?.nodeName ?? "", pod, event),
        client: client.core.v1.pods(namespaceOf(pod)),
      }),
  };
}

function nodeActions(options: NodeStagesOptions, around: Around): Actions<CachedNode> {
  const { client, nodeOf } = options;
  return {
    kind: "Node",
    functionsFor: (node) => stageFunctions({ ...around, ...nodeSurroundings(node, options) }),
    begin(object, stage) {
      const node = nodeOf(object.metadata?.name ?? "");
      if (!node?.isConnected) return false;
      if (stage.drivesStatus) node.handOverStatus();
      return true;
    },
    act: (node, action) =>
      carryOut<Node>(node, action, {
        record: (event) => options.recordNode(node.metadata?.name ?? "", event),
        client: client.core.v1.nodes(),
      }),
  };
}

/** Whether a Stage that writes the status selects the node as it is. */
function isDriven(node: CachedNode, source: StageSource): boolean {
  const data = goJson("Node", node) as SelectedObject;
  const budgets = new StageBudgets((stage, error) => source.refuse(stage, error));
  return source
    .ofKind("Node")
    .some((stage) => stage.drivesStatus && budgets.within(stage, false, (budget) => stage.selects(data, budget)));
}

/** What templates of a pod's Stages may ask. */
function podSurroundings(
  pod: CachedPod,
  nodeOf: NodeStagesOptions["nodeOf"],
): Pick<StageSurroundings, "nodeIP" | "podIP" | "nodeIPsOf" | "podIPsOf"> {
  const node = (): StagedNode | undefined => nodeOf(pod.spec?.nodeName ?? "");
  return {
    nodeIP: () => node()?.hostIPs[0] ?? "",
    podIP: () => node()?.podIPsOf(uidOf(pod))[0] ?? "",
    nodeIPsOf: (name) => nodeOf(name)?.hostIPs ?? [],
    podIPsOf: ({ nodeName, hostNetwork, uid }) =>
      (hostNetwork ? nodeOf(nodeName)?.hostIPs : nodeOf(nodeName)?.podIPsOf(uid)) ?? [],
  };
}

/** What templates of a node's Stages may ask. */
function nodeSurroundings(
  { metadata: { name = "" } = {} }: CachedNode,
  { nodeOf, kubeletPort }: NodeStagesOptions,
): Pick<StageSurroundings, "nodeIP" | "nodeName" | "nodePort"> {
  return { nodeIP: () => nodeOf(name)?.hostIPs[0] ?? "", nodeName: () => name, nodePort: () => kubeletPort };
}

interface Target<T extends object> {
  record(event: RecordedEvent): void;
  readonly client: {
    patch(name: string, patch: Patch<T>): Promise<T>;
    delete(name: string, options: { gracePeriodSeconds: number; preconditions: { uid: string } }): Promise<unknown>;
    subresource<S extends object>(name: string): { patch(name: string, patch: Patch<S>): Promise<S> };
  };
}

/** What is gone already needs nothing more. */
async function carryOut<T extends object>(
  object: CachedPod | CachedNode,
  action: StageAction,
  { record, client }: Target<T>,
): Promise<T | undefined> {
  const name = nameOf(object as CachedPod);
  if (action.kind === "event") return void record(eventOf(action.event));
  try {
    if (action.kind === "patch") {
      const target = action.subresource === "" ? client : client.subresource<T>(action.subresource);
      return await target.patch(name, patchOf<T>(action));
    }
    await client.delete(name, { gracePeriodSeconds: 0, preconditions: { uid: uidOf(object as CachedPod) } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return undefined;
}

const eventOf = ({ type, reason = "", message = "" }: StageEvent): RecordedEvent => ({
  type: type === "Warning" ? "Warning" : "Normal",
  reason,
  message,
});

function patchOf<T extends object>(body: StagePatchBody): Patch<T> {
  if (body.type === "json") return { json: body.data };
  return body.type === "merge" ? { merge: body.data as never } : { strategic: body.data };
}

/** Whether containers of the pod run that no runtime started: only Stages report such. */
export const isReportedByStages = ({ status }: CachedPod): boolean =>
  (status?.containerStatuses ?? []).some(({ state, containerID }) => state?.running !== undefined && !containerID);
