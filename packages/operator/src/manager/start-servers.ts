import type { MetricsRegistry } from "@coxswain/component/metrics";
import { metricsContentType } from "@coxswain/component/metrics";
import type { Logger } from "@coxswain/runtime/log";
import {
  type CertificateSource,
  type Handler,
  type HealthCheck,
  healthPages,
  type RunningServer,
} from "../serving/index.js";
import type { ManagerOptions, MetricsGuard } from "./manager-options.js";

interface ServersParts {
  readonly options: ManagerOptions;
  readonly metrics: MetricsRegistry;
  readonly healthChecks: ReadonlyMap<string, HealthCheck>;
  readonly readyChecks: ReadonlyMap<string, HealthCheck>;
  readonly webhookPaths: ReadonlyMap<string, Handler>;
  readonly log: Logger;
}

/** kubebuilder's and controller-runtime's. */
const webhookAddress = ":9443";
const isOff = (address: string | undefined): boolean => address === undefined || address === "" || address === "0";

/** Starts what the options ask for. Replicas that do not lead serve as well. */
export async function startServers(parts: ServersParts): Promise<{ stop(): Promise<void> }> {
  const { options, log } = parts;
  const running: RunningServer[] = [];
  async function listen(
    name: string,
    address: string,
    handler: Handler,
    certificates?: CertificateSource,
  ): Promise<void> {
    if (options.servers === undefined)
      throw new Error(
        `the ${name} server at ${address} needs a way to listen: pass servers: nodeServers() from @coxswain/operator/node`,
      );
    const server = await options.servers.listen({ name, address, handler, ...(certificates && { certificates }) });
    running.push(server);
    log.info("Serving", { server: name, host: server.host, port: server.port });
  }
  const stop = async (): Promise<void> => {
    await Promise.all(running.map((server) => server.stop()));
  };
  try {
    if (options.metrics && !isOff(options.metrics.address)) {
      const { address, certificates, authorize } = options.metrics;
      await listen("metrics", address, metricsPage(parts.metrics, authorize), certificates);
    }
    if (options.health && !isOff(options.health.address)) {
      const health = healthPages("/healthz", parts.healthChecks);
      const ready = healthPages("/readyz", parts.readyChecks);
      await listen(
        "health probe",
        options.health.address,
        async (request) => (await health(request)) ?? ready(request),
      );
    }
    if (parts.webhookPaths.size > 0) {
      const { address = webhookAddress, certificates } = options.webhooks ?? {};
      await listen("webhook", address, (request) => parts.webhookPaths.get(request.path)?.(request), certificates);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

const metricsPage =
  (metrics: MetricsRegistry, authorize: MetricsGuard = async () => undefined): Handler =>
  async ({ path, headers }) => {
    if (path !== "/metrics") return undefined;
    switch (await authorize(headers)) {
      case "unauthenticated":
        return { status: 401, body: "Unauthorized\n" };
      case "forbidden":
        return { status: 403, body: "Forbidden\n" };
      case undefined:
        return { contentType: metricsContentType, body: metrics.text() };
    }
  };
