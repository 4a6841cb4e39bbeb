import { createSeededRandom, randomInt, type SeededRandom } from "@coxswain/runtime/random";

export const workloadKinds = [
  "deployment",
  "replicaset",
  "replicationcontroller",
  "statefulset",
  "daemonset",
  "job",
] as const;
export type WorkloadKind = (typeof workloadKinds)[number];
export type Propagation = "background" | "foreground" | "orphan";

export interface Workload {
  readonly kind: WorkloadKind;
  readonly name: string;
}

/** One thing that somebody does to a cluster. */
export type Operation =
  | { readonly do: "create"; readonly workload: Workload; readonly replicas: number }
  | { readonly do: "scale"; readonly workload: Workload; readonly replicas: number }
  | { readonly do: "roll"; readonly workload: Workload; readonly version: number }
  | { readonly do: "pause" | "resume" | "undo"; readonly workload: Workload }
  | { readonly do: "delete"; readonly workload: Workload; readonly propagation: Propagation }
  | { readonly do: "addNode" | "killNode" | "taintNode" | "untaintNode"; readonly node: number }
  /** The cluster's process is killed so long after the operation before, and started again on its data. */
  | { readonly do: "restart"; readonly afterMs: number };

interface Model {
  readonly restarts: boolean;
  /** At the beginning, and after each restart. */
  readonly ownNodes: number;
  readonly workloads: Map<string, { readonly workload: Workload; version: number; isPaused: boolean; rolls: number }>;
  readonly nodes: Set<number>;
  readonly tainted: Set<number>;
  nextNode: number;
  made: number;
}

export interface ChurnPlan {
  readonly seed: number;
  /** @default 60 */
  readonly operations?: number;
  /** That there are at the beginning. */
  readonly nodes: number;
  /**
   * Whether the cluster is one process, which is killed and started again: its nodes are its own, so that none are added and those
   * that were killed return with it. Nothing stays paused: what a paused deployment has depends on what was before. @default false
   */
  readonly restarts?: boolean;
}

/** Some stay untouched, so that everything finds a place. */
const fewestFreeNodes = 4;

/**
 * Pure: the same operations for the same seed. Pods that nobody controls are left behind only after the last change of nodes:
 * which of them such a change would hit is the scheduler's chance, and the two ends could not be compared.
 */
export function planChurn({ seed, operations = 60, nodes, restarts = false }: ChurnPlan): Operation[] {
  const random = createSeededRandom(seed);
  const model: Model = {
    restarts,
    ownNodes: nodes,
    workloads: new Map(),
    nodes: new Set(Array.from({ length: nodes }, (_, index) => index)),
    tainted: new Set(),
    nextNode: nodes,
    made: 0,
  };
  const plan: Operation[] = [];
  // Each kind once, to begin with.
  for (const kind of workloadKinds) if (kind !== "job") plan.push(create(model, random, kind));
  const calm = Math.floor(operations * 0.75);
  while (plan.length < operations) {
    // All nodes are there again before pods may be left to nobody.
    if (restarts && plan.length === calm) plan.push(restart(model, random));
    else plan.push(next(model, random, plan.length < calm));
  }
  if (restarts)
    for (const { workload, isPaused } of model.workloads.values()) if (isPaused) plan.push({ do: "resume", workload });
  return plan;
}

const keyOf = ({ kind, name }: Workload): string => `${kind}/${name}`;
const pick = <T>(random: SeededRandom, from: readonly T[]): T | undefined => from[randomInt(from.length, random)];

function create(model: Model, random: SeededRandom, kind: WorkloadKind): Operation {
  const workload = { kind, name: `${kind}-${model.made++}` };
  model.workloads.set(keyOf(workload), { workload, version: 1, isPaused: false, rolls: 0 });
  return { do: "create", workload, replicas: 1 + randomInt(6, random) };
}

function next(model: Model, random: SeededRandom, mayChangeNodes: boolean): Operation {
  for (;;) {
    const made = attempt(model, random, mayChangeNodes);
    if (made) return made;
  }
}

function restart(model: Model, random: SeededRandom): Operation {
  for (let node = 0; node < model.ownNodes; node++) model.nodes.add(node);
  return { do: "restart", afterMs: randomInt(500, random) };
}

function attempt(model: Model, random: SeededRandom, mayChangeNodes: boolean): Operation | undefined {
  if (model.restarts && random.next() < 0.08) return restart(model, random);
  const dice = random.next();
  const target = (...kinds: readonly WorkloadKind[]) =>
    pick(
      random,
      [...model.workloads.values()].filter(({ workload }) => kinds.includes(workload.kind)),
    );
  if (dice < 0.12) {
    const kinds = mayChangeNodes ? workloadKinds.filter((kind) => kind !== "job") : workloadKinds;
    return model.workloads.size < 14 ? create(model, random, pick(random, kinds) ?? "deployment") : undefined;
  }
  if (dice < 0.25) return mayChangeNodes ? changeNodes(model, random) : undefined;
  if (dice < 0.42) {
    const found = target("deployment", "replicaset", "replicationcontroller", "statefulset");
    return found && { do: "scale", workload: found.workload, replicas: randomInt(8, random) };
  }
  if (dice < 0.66) {
    const found = target("deployment", "statefulset", "daemonset");
    if (!found) return undefined;
    found.rolls++;
    return { do: "roll", workload: found.workload, version: (found.version = 1 + randomInt(4, random)) };
  }
  if (dice < 0.88) {
    const found = target("deployment");
    return found && stopOrUndo(found, random);
  }
  const found = target(...workloadKinds);
  if (!found) return undefined;
  // A deployment's ReplicaSet goes on without it; what other workloads leave behind is nobody's.
  const mayOrphan = found.workload.kind === "deployment" || !mayChangeNodes;
  const policies: Propagation[] = ["background", "foreground", ...(mayOrphan ? (["orphan"] as const) : [])];
  model.workloads.delete(keyOf(found.workload));
  return { do: "delete", workload: found.workload, propagation: pick(random, policies) ?? "background" };
}

function stopOrUndo(
  found: { readonly workload: Workload; isPaused: boolean; readonly rolls: number },
  random: SeededRandom,
): Operation {
  const { workload } = found;
  if (!found.isPaused && found.rolls > 0 && random.next() < 0.6) return { do: "undo", workload };
  found.isPaused = !found.isPaused;
  return { do: found.isPaused ? "pause" : "resume", workload };
}

function changeNodes(model: Model, random: SeededRandom): Operation | undefined {
  const free = [...model.nodes].filter((node) => !model.tainted.has(node));
  const tainted = [...model.tainted];
  switch (randomInt(4, random)) {
    case 0: {
      if (model.restarts) return undefined;
      const node = model.nextNode++;
      model.nodes.add(node);
      return { do: "addNode", node };
    }
    case 1: {
      const node = free.length > fewestFreeNodes ? pick(random, free) : undefined;
      if (node === undefined) return undefined;
      model.nodes.delete(node);
      return { do: "killNode", node };
    }
    case 2: {
      const node = free.length > fewestFreeNodes ? pick(random, free) : undefined;
      if (node === undefined) return undefined;
      model.tainted.add(node);
      return { do: "taintNode", node };
    }
    default: {
      const node = pick(random, tainted);
      if (node === undefined) return undefined;
      model.tainted.delete(node);
      return { do: "untaintNode", node };
    }
  }
}

/** An operation as a line of output. */
export function describeOperation(operation: Operation): string {
  switch (operation.do) {
    case "create":
    case "scale":
      return `${operation.do} ${keyOf(operation.workload)} to ${operation.replicas}`;
    case "roll":
      return `roll ${keyOf(operation.workload)} to version ${operation.version}`;
    case "delete":
      return `delete ${keyOf(operation.workload)}, ${operation.propagation}`;
    case "pause":
    case "resume":
    case "undo":
      return `${operation.do} ${keyOf(operation.workload)}`;
    case "restart":
      return `restart after ${operation.afterMs} ms`;
    default:
      return `${operation.do} ${operation.node}`;
  }
}
