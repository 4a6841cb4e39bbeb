import type { Cluster } from "../kwok/cluster.js";
import { nodeName, simulatedNode } from "../kwok/simulated-nodes.js";
import { eventually } from "./eventually.js";
import type { Operation, Workload } from "./operations.js";
import { workloadUnrest } from "./settle.js";
import type { Item } from "./snapshot.js";
import { manifestsOf, namespace, versionImage } from "./workloads.js";

type Kubectl = Cluster["kubectl"];

const inChurn = `--namespace=${namespace}`;
const taint = "churn=now:NoExecute";

/** What operations need beside kubectl: how nodes are called and added, and how the cluster is started again. */
export interface Stage {
  nodeName(index: number): string;
  addNode(kubectl: Kubectl, index: number): Promise<void>;
  restart(afterMs: number): Promise<void>;
}

/** Nodes that KWOK plays. */
export const kwokStage: Stage = {
  nodeName,
  addNode: (kubectl, index) => create(kubectl, [simulatedNode(index)]),
  restart: () => Promise.reject(new Error("this cluster is not one process")),
};

/** Carries an operation out, and waits until the controllers have seen it: what they do about it goes on meanwhile. */
export async function perform(kubectl: Kubectl, operation: Operation, stage: Stage = kwokStage): Promise<void> {
  switch (operation.do) {
    case "create":
      await create(kubectl, manifestsOf(operation.workload, operation.replicas));
      return observed(kubectl, operation.workload);
    case "scale":
      await kubectl(["scale", ref(operation.workload), `--replicas=${operation.replicas}`, inChurn]);
      return observed(kubectl, operation.workload);
    case "roll":
      await kubectl(["set", "image", ref(operation.workload), `main=${versionImage(operation.version)}`, inChurn]);
      return observed(kubectl, operation.workload);
    case "pause":
      await complete(kubectl, operation.workload);
      await kubectl(["rollout", "pause", ref(operation.workload), inChurn]);
      return observed(kubectl, operation.workload);
    case "resume":
      await kubectl(["rollout", operation.do, ref(operation.workload), inChurn]);
      return observed(kubectl, operation.workload);
    case "undo":
      await undo(kubectl, ref(operation.workload));
      return observed(kubectl, operation.workload);
    case "delete":
      if (operation.propagation === "orphan") await complete(kubectl, operation.workload);
      await kubectl([
        "delete",
        ref(operation.workload),
        `--cascade=${operation.propagation}`,
        "--wait=true",
        "--timeout=240s",
        inChurn,
      ]);
      return;
    case "addNode":
      return stage.addNode(kubectl, operation.node);
    case "killNode":
      return void (await kubectl(["delete", "node", stage.nodeName(operation.node)]));
    case "taintNode":
      return void (await kubectl(["taint", "nodes", stage.nodeName(operation.node), taint]));
    case "untaintNode":
      return void (await kubectl(["taint", "nodes", stage.nodeName(operation.node), `${taint}-`]));
    case "restart":
      return stage.restart(operation.afterMs);
  }
}

const ref = ({ kind, name }: Workload): string => `${kind}/${name}`;

export const create = async (kubectl: Kubectl, items: readonly object[]): Promise<void> =>
  void (await kubectl(["create", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items })));

/** There may be nothing to go back to: all templates so far were the same. kubectl reports that, and nothing changes. */
async function undo(kubectl: Kubectl, workload: string): Promise<void> {
  try {
    await kubectl(["rollout", "undo", workload, inChurn]);
  } catch (error) {
    if (!/no rollout history|skipped rollback|paused/.test((error as Error).message)) throw error;
  }
}

interface Observable {
  metadata: { generation?: number };
  status?: { observedGeneration?: number };
}

/** What is stopped halfway, or left behind halfway, is so at another point in each run. */
async function complete(kubectl: Kubectl, workload: Workload): Promise<void> {
  if (workload.kind === "job") return;
  await eventually(async () => {
    const text = await kubectl(["get", ref(workload), inChurn, "--output=json"]);
    const problem = workloadUnrest(JSON.parse(text) as Item);
    return problem && `${ref(workload)}: ${problem}`;
  });
}

/** Two changes that the controller sees as one would leave other revisions behind. */
async function observed(kubectl: Kubectl, workload: Workload): Promise<void> {
  if (workload.kind === "job") return;
  await eventually(async () => {
    const text = await kubectl(["get", ref(workload), inChurn, "--output=json"]);
    const { metadata, status } = JSON.parse(text) as Observable;
    return (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0)
      ? undefined
      : `${ref(workload)} is at generation ${metadata.generation}, and ${status?.observedGeneration} was seen`;
  });
}
