import { createInProcessTransport, startApiServer } from "@coxswain/apiserver";
import { type Client, createClient } from "@coxswain/client";
import { createMetrics, type MetricsRegistry } from "@coxswain/component/metrics";
import { systemRuntime, type TestRuntime, testRuntime } from "@coxswain/runtime";
import { createActivity, during } from "@coxswain/runtime/activity";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { createMemoryStore } from "@coxswain/storage/memory";

/** An API server in this process, on a clock that the test moves. */
export interface TestServer {
  readonly client: Client;
  readonly runtime: TestRuntime;
  readonly metrics: MetricsRegistry;
  advance(ms: number): Promise<void>;
  stop(): Promise<void>;
}

export async function openTestServer(): Promise<TestServer> {
  const activity = createActivity();
  const clock = createVirtualClock({ startMs: Date.UTC(2026, 0, 1), activity });
  const metrics = createMetrics();
  const runtime = testRuntime(1, { clock, metrics });
  const server = await startApiServer({
    runtime,
    store: createMemoryStore({ runtime: systemRuntime({ clock }) }),
    limits: { priorityAndFairness: false },
    admission: { disabled: ["ServiceAccount"] },
  });
  const transport = createInProcessTransport(server, { user: { name: "admin", groups: ["system:masters"] } });
  const client = createClient({
    transport: {
      send: (request) => during(activity, () => transport.send(request)),
      watch: (request) => during(activity, () => transport.watch(request)),
      close: () => transport.close(),
    },
    runtime,
    onWarning: () => {},
  });
  return {
    client,
    runtime,
    metrics,
    async advance(ms) {
      for (let left = ms; left > 0; left -= 200) await clock.advance(200);
    },
    stop: () => server.stop(),
  };
}
