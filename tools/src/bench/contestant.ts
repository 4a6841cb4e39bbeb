import { setMaxListeners } from "node:events";
import type { RequestSpec } from "./load/connection.js";
import type { RequestsResult, WatchJob, WatchResult } from "./load/job.js";
import { runJob } from "./load/run-job.js";
import type { BenchServer, ServerName, StartOptions } from "./servers/server.js";
import {
  configMap,
  configMapsPath,
  namespaces,
  pod,
  podsPath,
  storedConfigMaps,
  storedPods,
  targetName,
} from "./workload.js";

export interface LoadShape {
  readonly connections: number;
  readonly inFlightEach: number;
  readonly count: number;
  readonly unmeasured?: number;
  readonly mostSeconds?: number;
  readonly isUrgent?: boolean;
}

/** One of the two servers: what rows measure, and what they have stored in it so far. */
export interface Contestant {
  readonly name: ServerName;
  /** Aborts when the bench is stopped, and when the time of the row that is measured is over. */
  readonly signal: AbortSignal;
  /** The rows' jobs and waits end with this, too, until the next call. */
  limitTo(row: AbortSignal): void;
  /** A further server with empty data, to time its start. The caller stops it. */
  startAnother(options?: StartOptions): Promise<BenchServer>;
  /** Makes the namespaces and the ConfigMap that GETs ask for. */
  prepare(server: BenchServer): Promise<BenchServer>;
  /** The server that all other rows share; started by the first that asks. */
  server(): Promise<BenchServer>;
  requests(request: RequestSpec, shape: LoadShape): Promise<RequestsResult>;
  /** The same to a server of the row's own. */
  requestsTo(server: BenchServer, request: RequestSpec, shape: LoadShape, until?: AbortSignal): Promise<RequestsResult>;
  watch(job: Omit<WatchJob, "kind" | "access">): Promise<WatchResult>;
  /** Creates ConfigMaps of 1.5 KB. */
  createConfigMaps(shape: LoadShape): Promise<RequestsResult>;
  /** Creates what is missing to the number of ConfigMaps that memory is measured with. */
  fillConfigMaps(): Promise<void>;
  /** Creates the pods that LISTs and memory are measured with, once. Answers whether this server has pods at all. */
  fillPods(): Promise<boolean>;
  stop(): Promise<void>;
}

/** An answer that is neither success nor a part of the API that a server does not have yet. */
export class UnexpectedStatus extends Error {
  override name = "UnexpectedStatus";
}

const missing = new Set([404, 405, 406, 415, 501]);

/**
 * Whether all answers had the expected status. False if the server lacks what was asked for; anything else throws, since
 * a figure measured over errors is none.
 */
export function allAnswered(result: RequestsResult, expected: number): boolean {
  const seen = Object.keys(result.statuses).map(Number);
  if (seen.every((status) => status === expected)) return true;
  if (seen.every((status) => missing.has(status))) return false;
  throw new UnexpectedStatus(`expected ${expected}, got ${JSON.stringify(result.statuses)}`);
}

/** Rows stop their own servers, and Ctrl-C stops all, perhaps the same ones at the same time. */
function stoppedOnce(server: BenchServer): BenchServer {
  let stopped: Promise<void> | undefined;
  return { ...server, stop: () => (stopped ??= server.stop()) };
}

export function createContestant(
  name: ServerName,
  start: (options?: StartOptions) => Promise<BenchServer>,
  signal: AbortSignal,
): Contestant {
  /** Settled when the server runs, and when it could not be started: stopping waits for either. */
  const started = new Set<Promise<BenchServer>>();
  let shared: Promise<BenchServer> | undefined;
  let configMaps = 0;
  let pods: Promise<boolean> | undefined;
  let limit = signal;

  const startAnother = async (options?: StartOptions): Promise<BenchServer> => {
    signal.throwIfAborted();
    const starting = start(options).then(stoppedOnce);
    started.add(starting);
    const server = await starting;
    signal.throwIfAborted(); // too late to be used; stop() takes care of it
    return server;
  };
  const prepare = async (server: BenchServer): Promise<BenchServer> => {
    const create = async (path: string, body: string): Promise<void> => {
      const once = { connections: 1, inFlightEach: 1, count: 1 };
      const result = await runJob(
        { kind: "requests", access: server.access, request: { method: "POST", path, body }, ...once },
        signal,
      );
      if (!allAnswered(result, 201))
        throw new Error(`${name} cannot create what the bench needs at ${path}: ${JSON.stringify(result.statuses)}`);
    };
    for (const namespace of Object.values(namespaces))
      await create("/api/v1/namespaces", JSON.stringify({ metadata: { name: namespace } }));
    await create(configMapsPath, configMap({ name: targetName }));
    return server;
  };
  const contestant: Contestant = {
    name,
    get signal() {
      return limit;
    },
    limitTo(row) {
      limit = AbortSignal.any([signal, row]);
      setMaxListeners(0, limit); // each request in flight has one
    },
    startAnother,
    prepare,
    server: () => (shared ??= startAnother().then(prepare)),
    async requests(request, shape) {
      const { access } = await contestant.server();
      return runJob({ kind: "requests", access, request, ...shape }, limit);
    },
    requestsTo: ({ access }, request, shape, until) =>
      runJob({ kind: "requests", access, request, ...shape }, until ? AbortSignal.any([limit, until]) : limit),
    async watch(job) {
      const { access } = await contestant.server();
      return runJob({ kind: "watch", access, ...job }, limit);
    },
    async createConfigMaps(shape) {
      const result = await contestant.requests({ method: "POST", path: configMapsPath, body: configMap({}) }, shape);
      if (!allAnswered(result, 201)) throw new Error(`${name} cannot create ConfigMaps`);
      configMaps += shape.count;
      return result;
    },
    async fillConfigMaps() {
      const count = storedConfigMaps - configMaps;
      if (count > 0) await contestant.createConfigMaps({ connections: 16, inFlightEach: 8, count });
    },
    fillPods() {
      const fill = async (): Promise<boolean> => {
        const create = { method: "POST", path: podsPath, body: pod() };
        const first = await contestant.requests(create, { connections: 1, inFlightEach: 1, count: 1 });
        if (!allAnswered(first, 201)) return false;
        const rest = await contestant.requests(create, { connections: 16, inFlightEach: 8, count: storedPods - 1 });
        return allAnswered(rest, 201);
      };
      return (pods ??= fill());
    },
    async stop() {
      for (const outcome of await Promise.allSettled(started)) {
        if (outcome.status === "fulfilled") await outcome.value.stop();
      }
    },
  };
  return contestant;
}
