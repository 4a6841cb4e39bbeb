import type { NodeAgent } from "../node/node-agent.js";
import { cadvisorMetrics } from "./cadvisor-metrics.js";
import { kubeletMetrics } from "./kubelet-metrics.js";
import { podList, runningPods } from "./pod-list.js";
import { probeMetrics } from "./probe-metrics.js";
import { resourceMetrics } from "./resource-metrics.js";
import { statsSummary } from "./stats-summary.js";

/** What pages show of the process, and which are served. */
export interface PageSettings {
  /** The KubeletConfiguration, for `/configz`. */
  config(): object;
  /** What the process counts of itself, in the text format of Prometheus; empty: nothing. */
  processMetrics(): string;
  /** Whether logs, commands and ports are served (`enableDebuggingHandlers`). */
  readonly debugging: boolean;
  /** The machine's log directory, where it is served (`enableSystemLogHandler`). */
  readonly systemLogs?: string | undefined;
}

export interface PageContent {
  readonly type: string;
  readonly body: string;
}

type Page = (node: NodeAgent, settings: PageSettings) => Promise<PageContent>;

const text = (body: string): PageContent => ({ type: "text/plain; charset=utf-8", body });
const json = (body: object): PageContent => ({ type: "application/json", body: JSON.stringify(body) });
const ok: Page = async () => text("ok");

/** The pages of a node by their paths (pkg/kubelet/server/server.go). */
export const nodePages: Readonly<Record<string, Page>> = {
  "/healthz": ok,
  "/healthz/ping": ok,
  "/healthz/log": ok,
  "/healthz/syncloop": ok,
  "/pods": async (node) => json(podList(node)),
  "/runningpods": async (node) => json(await runningPods(node)),
  "/configz": async (_, { config }) => json({ kubeletconfig: config() }),
  "/stats/summary": async (node) => json(await statsSummary(node)),
  "/metrics": async (node, { processMetrics }) => text((await kubeletMetrics(node)) + processMetrics()),
  "/metrics/resource": async (node) => text(await resourceMetrics(node)),
  "/metrics/cadvisor": async (node) => text(await cadvisorMetrics(node)),
  "/metrics/probes": async (node) => text(probeMetrics(node)),
};

/** Those that upstream serves without authorization on its read-only port. */
export const readOnlyPaths: ReadonlySet<string> = new Set([
  "/healthz",
  "/healthz/ping",
  "/healthz/log",
  "/healthz/syncloop",
  "/pods",
  "/stats/summary",
  "/metrics",
  "/metrics/resource",
  "/metrics/cadvisor",
  "/metrics/probes",
]);
