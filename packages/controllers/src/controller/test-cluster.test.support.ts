import { type ApiOptions, createInProcessTransport, startApiServer, type UserInfo } from "@coxswain/apiserver";
import { type Client, createClient } from "@coxswain/client";
import { countRequests, type Transport } from "@coxswain/client/transport";
import type { MetricsRegistry } from "@coxswain/component/metrics";
import { createMetrics } from "@coxswain/component/metrics";
import { systemRuntime, testRuntime } from "@coxswain/runtime";
import { createActivity } from "@coxswain/runtime/activity";
import { createVirtualClock, type VirtualClock } from "@coxswain/runtime/clock";
import { createMemoryStore } from "@coxswain/storage/memory";
import type { CauseCheck } from "@coxswain/tools/causes";
import type { ControllerSettings } from "../settings/controller-settings.js";
import { checkCauses } from "./check-causes.test.support.js";
import type { Controller } from "./controller.js";
import { type RunningControllers, startControllers } from "./start-controllers.js";

/** An API server in this process with some controllers, on a clock that the test moves. */
export interface TestCluster {
  /** An administrator's. */
  readonly client: Client;
  /** A user's without any group but that of all users. */
  clientOf(user: string, groups?: readonly string[]): Client;
  readonly clock: VirtualClock;
  /** Of the controllers that run now. */
  readonly metrics: MetricsRegistry;
  /** Resolves when nothing moves any more: no request, no undelivered event, no work. */
  settle(): Promise<void>;
  /** Moves the clock, letting everything settle at each timer on the way. */
  advance(ms: number): Promise<void>;
  /** Ends the controllers and starts them again, as a restarted process would. Lifts `limitWrites`. */
  restart(): Promise<void>;
  /** The controllers' writes after the next `count` fail, as those of a process that was killed never arrive. Events are not counted. */
  limitWrites(count: number): void;
  /** Whether a write has failed since the last restart because of `limitWrites`. */
  wasKilled(): boolean;
  /** Writes of controllers that arrived so far, events aside. */
  writes(): number;
  /** How many objects controllers created so far, by resource. */
  created(): Record<string, number>;
  stop(): Promise<void>;
}

export interface TestClusterOptions {
  readonly controllers: readonly Controller[];
  readonly settings?: ControllerSettings;
  readonly gates?: Readonly<Record<string, boolean>>;
  /** Of the server: gates and versions that are off by default. */
  readonly api?: ApiOptions;
  /** Is notified of every write of the controllers and of the work item that made it. */
  readonly causeCheck?: CauseCheck;
}

const start = Date.UTC(2026, 0, 1);

/** Events are sent by a part of their own, and reviews change nothing. */
const isNoWrite = /\/(events(\/[^/]*)?|[a-z]+reviews)$/;

export async function startTestCluster(options: TestClusterOptions): Promise<TestCluster> {
  const activity = createActivity();
  const clock = createVirtualClock({ startMs: start, activity });
  const runtime = testRuntime(1, { clock });
  const store = createMemoryStore({ runtime: systemRuntime({ clock }) });
  const server = await startApiServer({
    runtime,
    store,
    // Seats are held for some milliseconds after a write; in time that stands still that would be for ever.
    limits: { priorityAndFairness: false },
    // Accounts are made by one of the controllers, which may not be among those under test.
    admission: { disabled: ["ServiceAccount"] },
    ...(options.api && { api: options.api }),
  });
  const clientOf = (user: UserInfo, wrap = (transport: Transport): Transport => transport): Client =>
    createClient({
      transport: countRequests(wrap(createInProcessTransport(server, { user })), activity),
      runtime,
      onWarning: () => {},
    });
  const causeChecking = options.causeCheck && checkCauses(options.causeCheck, { store, activity, clock });
  let writesLeft = Number.POSITIVE_INFINITY;
  let writes = 0;
  const created: Record<string, number> = {};
  const limited = (transport: Transport): Transport => ({
    watch: (request) => transport.watch(request),
    close: () => transport.close(),
    async send(request) {
      if (request.method === "GET" || isNoWrite.test(request.path)) return transport.send(request);
      if (writesLeft-- <= 0) throw new Error("the process was killed");
      writes++;
      const response = await transport.send(request);
      const resource = request.path.split("/").at(-1) ?? "";
      if (request.method === "POST" && response.status === 201) created[resource] = (created[resource] ?? 0) + 1;
      return response;
    },
  });
  const gates = { enabled: (gate: string) => options.gates?.[gate] ?? true };
  let metrics = createMetrics();
  const run = (): RunningControllers =>
    startControllers({
      runtime: { ...runtime, metrics: (metrics = createMetrics()) },
      all: options.controllers,
      gates,
      ...(options.settings && { settings: options.settings }),
      clientFor: (account) =>
        clientOf(account === undefined ? manager : serviceAccount(account), (transport) =>
          limited(causeChecking ? causeChecking.wrap(transport) : transport),
        ),
    });
  let running = run();
  await running.ready;
  return {
    client: clientOf({ name: "admin", groups: ["system:masters"] }),
    clientOf: (name, groups = []) => clientOf({ name, groups: [...groups, "system:authenticated"] }),
    clock,
    get metrics() {
      return metrics;
    },
    settle: () => clock.settle(),
    advance: (ms) => clock.advance(ms),
    limitWrites: (count) => void (writesLeft = count),
    wasKilled: () => writesLeft < 0,
    writes: () => writes,
    created: () => ({ ...created }),
    async restart() {
      await running.stop();
      writesLeft = Number.POSITIVE_INFINITY;
      running = run();
      await running.ready;
    },
    async stop() {
      await running.stop();
      await server.stop();
      await causeChecking?.stop();
      await store.close();
    },
  };
}

const manager: UserInfo = { name: "system:kube-controller-manager", groups: ["system:authenticated"] };

const serviceAccount = (name: string): UserInfo => ({
  name: `system:serviceaccount:kube-system:${name}`,
  groups: ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"],
});
