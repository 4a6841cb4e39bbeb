import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import type { ConfigMap } from "@coxswain/api/core/v1";
import { kubernetesRelease } from "@coxswain/api/release";
import { createLeaderElector, createLeaseLock, type LeaderElector } from "@coxswain/client/leader-election";
import { recordWork } from "@coxswain/client/work";
import { createPageGuard } from "@coxswain/component/delegated-access";
import { createComponentPages, type ServedPages, servePages } from "@coxswain/component/endpoint";
import type { OptionsOf } from "@coxswain/component/flags";
import type { HealthCheck } from "@coxswain/component/health";
import { addProcessMetrics, createMetrics, type MetricsRegistry } from "@coxswain/component/metrics";
import { openSslCiphers, tlsVersions } from "@coxswain/component/serving";
import { type Activity, noActivity } from "@coxswain/runtime/activity";
import { systemClock } from "@coxswain/runtime/clock";
import type { Logger } from "@coxswain/runtime/log";
import { randomUuid, systemRandom } from "@coxswain/runtime/random";
import { loggerFrom } from "../command/log-flags.js";
import { untilSignal } from "../command/until-signal.js";
import { type ClusterConnection, openConnection, serverIsHealthy } from "./cluster-connection.js";
import type { componentFlags } from "./component-flags.js";

import { servingCredentials } from "./serving-credentials.js";

export type ComponentOptions = OptionsOf<typeof componentFlags> & {
  readonly securePort: number;
  readonly leaderElectResourceName: string;
};

/** What a component does once it leads. */
export interface ComponentWork {
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

export interface ComponentContext {
  readonly connection: ClusterConnection;
  readonly metrics: MetricsRegistry;
  readonly log: Logger;
  /** Traces work items, so that writes can name them. */
  readonly activity: Activity;
}

export interface ComponentDescription {
  /** "kube-controller-manager": in events, leases and requests. */
  readonly name: string;
  readonly options: ComponentOptions;
  /** What `/flagz` and `/configz` show. */
  readonly flags: () => ReadonlyMap<string, string>;
  readonly configz: () => unknown;
  /** Begins to work; called when this process leads. */
  start(context: ComponentContext): ComponentWork;
}

/** Only those that run count here. */
const keptWorks = 100;
const kubernetesVersion = kubernetesRelease.gitVersion;
/** A leader that should have stopped for longer than this fails `/healthz`, as upstream's (k8s.io/client-go/tools/leaderelection/healthzadaptor.go, Check). */
const electionToleranceMs = 20_000;

/** A component as a process of its own: pages, leader election, work, and an orderly end. Answers its exit code. */
export async function runComponent(description: ComponentDescription): Promise<number> {
  const { name, options } = description;
  const clock = systemClock;
  const log = loggerFrom(options);
  const ending = new AbortController();
  const stopped = untilSignal().then(() => ending.abort());
  const works = recordWork({ clock, revision: () => 0, most: keptWorks });
  const connection = openConnection({
    kubeconfig: options.kubeconfig,
    master: options.master,
    qps: options.kubeApiQps,
    burst: options.kubeApiBurst,
    userAgent: `${name}/${kubernetesVersion}`,
    component: name,
    works,
  });
  const metrics = createMetrics();
  addProcessMetrics(metrics, clock);
  const elector: { current?: LeaderElector } = {};
  const pages = await serve(description, { metrics, log, elector });
  try {
    await serverIsHealthy(connection.client, clock, ending.signal);
    if (!ending.signal.aborted)
      await work(
        description,
        { connection, metrics, log, activity: { ...noActivity, trace: works } },
        { elector, ending },
      );
    return 0;
  } catch (error) {
    log.error(`${name} ends`, { error });
    return 1;
  } finally {
    ending.abort();
    await pages?.stop();
    await connection.close();
    void stopped;
  }
}

async function work(
  { name, options, start }: ComponentDescription,
  context: ComponentContext,
  { elector, ending }: { elector: { current?: LeaderElector }; ending: AbortController },
): Promise<void> {
  const { log } = context;
  const untilAborted = async (signal: AbortSignal): Promise<void> => {
    const running = start(context);
    running.ready.then(
      () => signal.aborted || log.info(`${name} is working`),
      (error: unknown) => signal.aborted || log.error(`${name} cannot begin`, { error }),
    );
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    await running.stop();
  };
  if (!options.leaderElect) return untilAborted(ending.signal);
  const namespace = options.leaderElectResourceNamespace;
  const identity = `${hostname()}_${randomUuid(systemRandom)}`;
  elector.current = createLeaderElector({
    lock: createLeaseLock({
      leases: context.connection.client.coordination.v1.leases(namespace),
      namespace,
      name: options.leaderElectResourceName,
      identity,
    }),
    leaseDurationMs: options.leaderElectLeaseDuration,
    renewDeadlineMs: options.leaderElectRenewDeadline,
    retryPeriodMs: options.leaderElectRetryPeriod,
    onNewLeader: (leader) => log.info("the leader changed", { leader, isThisProcess: leader === identity }),
    onError: (error) => log.debug("a try to hold the lease failed", { error }),
    lead: ({ signal }) => untilAborted(signal),
  });
  context.metrics.collectGauge(
    {
      name: "leader_election_master_status",
      help: "Whether this process holds the lease of that name: 1 if it leads, 0 if it waits",
      stability: "ALPHA",
      labels: ["name"],
    },
    (report) => report(elector.current?.isLeader ? 1 : 0, options.leaderElectResourceName),
  );
  await elector.current.run(ending.signal);
}

interface Served {
  readonly metrics: MetricsRegistry;
  readonly log: Logger;
  readonly elector: { current?: LeaderElector };
}

/** Health, metrics and other pages on the secure port; 0: none. */
async function serve(description: ComponentDescription, served: Served): Promise<ServedPages | undefined> {
  const { name, options } = description;
  const { metrics, log, elector } = served;
  const clock = systemClock;
  if (options.securePort === 0) return undefined;
  const clientOf = (file: string | undefined): ClusterConnection | undefined =>
    file === undefined
      ? undefined
      : openConnection({ kubeconfig: file, master: undefined, qps: undefined, burst: undefined, userAgent: name });
  const authentication = clientOf(options.authenticationKubeconfig);
  const authorization = clientOf(options.authorizationKubeconfig);
  const election: HealthCheck = {
    name: "leaderElection",
    check: () => elector.current?.check(electionToleranceMs)?.message,
  };
  const checks = [{ name: "ping", check: () => undefined }, ...(options.leaderElect ? [election] : [])];
  const clientAuthorities = await clientAuthoritiesOf(options, authentication, log);
  const minVersion = options.tlsMinVersion === undefined ? undefined : tlsVersions.get(options.tlsMinVersion);
  const pages = await servePages({
    host: options.bindAddress,
    port: options.securePort,
    credentials: servingCredentials(
      { certificate: options.tlsCertFile, key: options.tlsPrivateKeyFile },
      { clock, random: systemRandom },
    ),
    ...(clientAuthorities !== undefined && { clientAuthorities }),
    ...(minVersion && { minVersion }),
    ...(options.tlsCipherSuites.length > 0 && { ciphers: openSslCiphers(options.tlsCipherSuites) }),
    guard: createPageGuard({
      authentication: authentication?.client,
      authorization: authorization?.client,
      alwaysAllow: options.authorizationAlwaysAllowPaths,
      clock,
    }),
    pages: createComponentPages({
      component: name,
      checks: { healthz: checks, livez: checks, readyz: checks },
      metrics,
      configz: description.configz,
      flags: description.flags,
      version: kubernetesVersion,
      startedAt: clock.now(),
      clock,
      profiling: options.profiling,
    }),
    onError: (error) => log.warn("a page could not be made", { error }),
  });
  return {
    ...pages,
    async stop() {
      await pages.stop();
      await authentication?.close();
      await authorization?.close();
    },
  };
}

/** The authorities of client certificates: those of the flag, or those that the API server publishes for servers behind it. */
async function clientAuthoritiesOf(
  options: ComponentOptions,
  authentication: ClusterConnection | undefined,
  log: Logger,
): Promise<string | undefined> {
  if (options.clientCaFile !== undefined) return readFileSync(options.clientCaFile, "utf8");
  if (!authentication || options.authenticationSkipLookup) return undefined;
  try {
    const published: ConfigMap = await authentication.client.core.v1
      .configmaps("kube-system")
      .get("extension-apiserver-authentication");
    return published.data?.["client-ca-file"];
  } catch (error) {
    if (!options.authenticationTolerateLookupFailure) throw error;
    log.warn("client certificates are not accepted: their authorities cannot be read from the cluster", { error });
    return undefined;
  }
}
