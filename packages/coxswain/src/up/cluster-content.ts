import { connect, loadKubeconfig } from "@coxswain/client/node";
import type { ClusterState } from "./cluster-state.js";

/** How much of a cluster is ready. */
export interface ClusterContent {
  /** `simulated`: their pods run without containers. */
  readonly nodes: { readonly ready: number; readonly all: number; readonly simulated: number };
  /** `settled`: they run with all containers ready, or are done. */
  readonly pods: { readonly running: number; readonly settled: number; readonly all: number };
}

/** Nodes and pods as the API server reports them. @throws when it does not answer within five seconds */
export async function readContent({ kubeconfig }: Pick<ClusterState, "kubeconfig">): Promise<ClusterContent> {
  const client = connect(loadKubeconfig({ path: kubeconfig }), { timeoutMs: 5000, maxRetries: 0 });
  try {
    const [nodes, pods] = await Promise.all([client.core.v1.nodes().list(), client.core.v1.pods().list()]);
    const ready = nodes.items.filter(({ status }) =>
      status?.conditions?.some(({ type, status: value }) => type === "Ready" && value === "True"),
    );
    const running = pods.items.filter(({ status }) => status?.phase === "Running");
    const settled = pods.items.filter(
      ({ status }) =>
        status?.phase === "Succeeded" ||
        (status?.phase === "Running" && status.containerStatuses?.every(({ ready }) => ready)),
    );
    const simulated = nodes.items.filter(({ status }) =>
      status?.nodeInfo?.containerRuntimeVersion?.startsWith("simulated://"),
    );
    return {
      nodes: { ready: ready.length, all: nodes.items.length, simulated: simulated.length },
      pods: { running: running.length, settled: settled.length, all: pods.items.length },
    };
  } finally {
    await client.close();
  }
}
