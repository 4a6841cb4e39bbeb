import type { Pod, PodList } from "@coxswain/api/core/v1";
import type { NodeAgent } from "../node/node-agent.js";

const listOf = (items: readonly Pod[]): PodList =>
  ({ kind: "PodList", apiVersion: "v1", metadata: {}, items }) as unknown as PodList;

/** `/pods`: the pods of a node with the statuses that its kubelet has for them. */
export function podList(agent: NodeAgent): PodList {
  return listOf(
    [...agent.workers.values()].map((worker) => {
      const status = worker.wanted();
      return { ...worker.pod(), ...(status && { status: { ...worker.pod().status, ...status } }) } as Pod;
    }),
  );
}

/** `/runningpods`: what the runtime has, whether the kubelet wants it or not (pkg/kubelet/container/runtime.go, ToAPIPod). */
export async function runningPods({ context: { containers } }: NodeAgent): Promise<PodList> {
  const items: Pod[] = [];
  for (const { uid, name, namespace, isRunning } of await containers.listPods()) {
    if (!isRunning) continue;
    const { containers: runs } = await containers.podStatus(uid);
    const running = [...runs.values()].flatMap(([newest]) => (newest?.state === "running" ? [newest] : []));
    items.push({
      metadata: { name, namespace, uid },
      spec: { containers: running.map((run) => ({ name: run.name, image: run.image, resources: {} })) },
      status: {},
    });
  }
  return listOf(items);
}
