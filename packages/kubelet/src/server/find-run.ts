import type { ContainerStatus, PodStatus } from "@coxswain/api/core/v1";
import type { NodeAgent } from "../node/node-agent.js";
import { findContainer, nameOf } from "../objects/cached-pod.js";
import type { PodWorker } from "../worker/pod-worker.js";
import { KubeletRefusal, type KubeletSource } from "./kubelet-source.js";

export interface FoundPod {
  readonly agent: NodeAgent;
  readonly worker: PodWorker;
}

/** A pod of `node`; of any of ours where that is undefined. @throws KubeletRefusal where its node does not answer */
export function findPod(
  source: KubeletSource,
  namespace: string,
  name: string,
  node: NodeAgent | undefined,
): FoundPod | undefined {
  const found = source.findPod(namespace, name);
  if (!found || (node && found.agent !== node)) return undefined;
  if (!found.agent.isConnected) throw new KubeletRefusal(503, `node "${found.agent.name}" does not answer`);
  return found;
}

/** The ID of the run of a container whose log is asked for. @throws KubeletRefusal in upstream's words */
export function findLoggedRun({ worker }: FoundPod, container: string, previous: boolean): string {
  const pod = worker.pod();
  if (!findContainer(pod, container))
    throw new KubeletRefusal(404, `container "${container}" not found in pod "${nameOf(pod)}"`);
  const who = `container "${container}" in pod "${nameOf(pod)}"`;
  const status = statusOf(worker.wanted() ?? (pod.status as PodStatus | undefined), container);
  if (!status) throw new KubeletRefusal(400, `${who} is not available`);
  const { state = {}, lastState = {} } = status;
  const last = lastState.terminated?.containerID;
  if (previous) {
    if (last) return bare(last);
    throw new KubeletRefusal(400, `previous terminated ${who} not found`);
  }
  const id = state.running ? status.containerID : (state.terminated?.containerID ?? last);
  if (id) return bare(id);
  if (!state.waiting) throw new KubeletRefusal(400, `${who} is terminated`);
  throw new KubeletRefusal(400, `${who} is waiting to start: ${explain(state.waiting.reason ?? "")}`);
}

function explain(reason: string): string {
  if (reason === "ErrImagePull") return "image can't be pulled";
  return reason === "ImagePullBackOff" ? "trying and failing to pull image" : reason;
}

/** The ID of a container's running run, for commands. @throws KubeletRefusal */
export function findRunningRun(
  { worker }: FoundPod,
  container: string,
  refusal = `container not found ("${container}")`,
): string {
  const status = statusOf(worker.wanted(), container);
  if (!status?.state?.running || !status.containerID) throw new KubeletRefusal(404, refusal);
  return bare(status.containerID);
}

function statusOf(status: PodStatus | undefined, name: string): ContainerStatus | undefined {
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = status ?? {};
  return [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses].find(
    (each) => each.name === name,
  );
}

/** Without the runtime's name in front. */
const bare = (id: string): string => id.slice(id.indexOf("://") + 3);
