import { getOwn } from "@coxswain/apimachinery/own";
import { quantityMilliValue } from "@coxswain/apimachinery/quantity";
import type { RestClient } from "@coxswain/client";
import type { Runtime } from "@coxswain/runtime";
import { isSimulated, machineAnnotation } from "../contract/machines.js";
import type { KubernetesValue, NodeSummary, OverviewState } from "../contract/messages.js";
import type { Catalogue } from "./catalogue.js";
import { readEvents } from "./event-lines.js";
import type { Feed } from "./feed.js";
import { listObjects } from "./list-objects.js";
import { problemOf } from "./problem.js";
import type { StoredRow } from "./stored-row.js";
import type { TableStores } from "./table-store.js";

const counted = "pods nodes deployments.apps statefulsets.apps daemonsets.apps jobs.batch";

/** A list of all nodes at most so often. */
const quietMs = 2000;
/** While the first rows arrive. */
const firstMs = 150;

interface OverviewContext {
  readonly rest: RestClient;
  readonly catalogue: Catalogue;
  readonly stores: TableStores;
}

/** Nodes with what runs on them, pods by status, workloads that are not ready, recent warnings. */
export function overviewFeed(
  runtime: Runtime,
  context: OverviewContext,
  first: { readonly namespace: string },
  push: (state: OverviewState) => void,
): Feed<{ readonly namespace: string }> {
  let { namespace } = first;
  let timer: { cancel(): void } | undefined;
  const used = context.catalogue.named(counted).map((info) => ({ info, ...context.stores.use(info, "") }));
  const rowsOf = (resource: string): StoredRow[] =>
    [...(used.find(({ info }) => info.resource === resource)?.store.rows() ?? [])].filter(
      (row) => namespace === "" || row.namespace === namespace || row.namespace === "",
    );
  const read = async (): Promise<void> => {
    const pods = rowsOf("pods");
    const common = {
      pods: countBy(pods, cellOf(used, "pods", "Status")),
      workloads: used
        .filter(({ info }) => info.resource !== "pods" && info.resource !== "nodes")
        .map(({ info }) =>
          workloadOf(info, rowsOf(info.resource), cellOf(used, info.resource, "Ready", "Completions")),
        ),
      isLoading: isLoading(),
    };
    try {
      const [nodes, warnings] = await Promise.all([
        readNodes(context, countBy(pods, cellOf(used, "pods", "Node"))),
        readEvents(context.rest, namespace, "type=Warning"),
      ]);
      push({ ...common, nodes, warnings: warnings.slice(0, 30), problem: undefined });
    } catch (error) {
      push({ ...common, nodes: [], warnings: [], problem: problemOf(error) });
    }
  };
  const isLoading = (): boolean => used.some(({ store }) => store.status === "loading" && !store.problem);
  let wasLoading = true;
  const readSoon = (): void =>
    void (timer ??= runtime.clock.setTimer(wasLoading ? firstMs : quietMs, () => {
      wasLoading = isLoading();
      timer = undefined;
      void read();
    }));
  const unlisten = used.map(({ store }) => store.listen(readSoon));
  void read();
  return {
    update(next) {
      ({ namespace } = next);
      void read();
    },
    close() {
      timer?.cancel();
      for (const stop of unlisten) stop();
      for (const { release } of used) release();
    },
  };
}

type Used = readonly {
  readonly info: { readonly resource: string };
  readonly store: { readonly columns: readonly { readonly name: string }[] };
}[];

function cellOf(used: Used, resource: string, ...columns: string[]): (row: StoredRow) => string {
  const found = used.find(({ info }) => info.resource === resource)?.store.columns ?? [];
  const at = found.findIndex(({ name }) => columns.includes(name));
  return (row) => row.cells[at] ?? "";
}

function countBy(rows: readonly StoredRow[], cell: (row: StoredRow) => string): Record<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(cell(row), (counts.get(cell(row)) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function workloadOf(
  { kind, resource }: { kind: string; resource: string },
  rows: readonly StoredRow[],
  cell: (row: StoredRow) => string,
): OverviewState["workloads"][number] {
  const isUnready = (text: string): boolean => {
    const [ready, wanted] = text.split("/");
    return wanted !== undefined && ready !== wanted;
  };
  const unready = rows.filter((row) => isUnready(cell(row))).map((row) => `${row.namespace}/${row.name}`);
  return { kind, resource, total: rows.length, unready: unready.slice(0, 20) };
}

/** Nodes with their capacity, and what is used of it as far as the server measures it. */
async function readNodes(
  { rest, catalogue }: OverviewContext,
  pods: Readonly<Record<string, number>>,
): Promise<NodeSummary[]> {
  const hasMetrics = catalogue.find("metrics.k8s.io", "nodes") !== undefined;
  const [nodes, usage] = await Promise.all([
    listObjects(rest, "/api/v1/nodes"),
    hasMetrics ? listObjects(rest, "/apis/metrics.k8s.io/v1beta1/nodes").catch(() => []) : [],
  ]);
  return summarizeNodes(nodes, pods, usage);
}

/** Pure. @param pods how many by node */
export function summarizeNodes(
  nodes: readonly KubernetesValue[],
  pods: Readonly<Record<string, number>>,
  usage: readonly KubernetesValue[],
): NodeSummary[] {
  const measured = new Map(usage.map(({ metadata, usage: used }) => [metadata?.name, used as Record<string, string>]));
  return nodes.map((node) => {
    const name = node.metadata?.name ?? "";
    const used = measured.get(name);
    const { allocatable = {}, nodeInfo = {} } = node["status"] ?? {};
    return {
      name,
      status: statusOf(node),
      pods: pods[name] ?? 0,
      podCapacity: amount(allocatable.pods),
      cpuCapacity: amount(allocatable.cpu),
      memoryCapacity: amount(allocatable.memory),
      cpuUsage: used && amount(used["cpu"]),
      memoryUsage: used && amount(used["memory"]),
      machine: getOwn(node.metadata?.annotations, machineAnnotation) ?? "",
      isSimulated: isSimulated(nodeInfo),
    };
  });
}

function statusOf(node: KubernetesValue): string {
  const ready = (node["status"]?.conditions ?? []).find((condition: { type: string }) => condition.type === "Ready");
  const word = ready?.status === "True" ? "Ready" : ready?.status === "Unknown" ? "Unknown" : "NotReady";
  return node["spec"]?.unschedulable ? `${word},SchedulingDisabled` : word;
}

/** A quantity as a number; 0 where there is none. */
export const amount = (text: string | undefined): number => (text === undefined ? 0 : quantityMilliValue(text) / 1000);
