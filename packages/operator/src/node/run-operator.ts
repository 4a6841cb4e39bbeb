import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@coxswain/client";
import { connect, loadConfig } from "@coxswain/client/node";
import { formatHelp, parseFlags } from "@coxswain/component/flags";
import { loggerFrom, processSignal as signalOfProcess } from "@coxswain/component/main";
import { addProcessMetrics, createMetrics } from "@coxswain/component/metrics";
import { type Runtime, systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { randomUuid } from "@coxswain/runtime/random";
import { createManager, type Manager, type ManagerOptions } from "../manager/index.js";
import { certificateFiles } from "./certificate-files.js";
import { type ManagedCertificatesOptions, managedCertificates } from "./managed-certificates.js";
import { metricsGuard } from "./metrics-guard.js";
import { nodeServers } from "./node-servers.js";
import { operatorFlags } from "./operator-flags.js";
import { selfSigned } from "./self-signed.js";

export interface RunOperatorOptions {
  /** The name of the Lease: unique among operators, `video-operator.example.com`. */
  readonly leaderElectionId: string;
  /** Adds controllers and webhooks. The same function sets up the manager of a test. */
  readonly setUp: (manager: Manager) => void | Promise<void>;
  /** Makes the webhook server's certificates, where --webhook-cert-path names none. */
  readonly webhookCertificates?: Omit<ManagedCertificatesOptions, "client" | "runtime" | "namespace"> & {
    readonly namespace?: string;
  };
  /** What no flag is for: caches, concurrency, tracing. */
  readonly manager?: Omit<ManagerOptions, "client" | "servers" | "runtime" | "registry">;
  /** @default the process's */
  readonly args?: readonly string[];
  /** Ends the operator. @default SIGTERM and SIGINT; a second one ends the process at once */
  readonly signal?: AbortSignal;
}

/** The `main` of an operator: flags as kubebuilder's programs have them, a client, a manager, and an orderly end. */
export async function runOperator(options: RunOperatorOptions): Promise<void> {
  const parsed = parseFlags(operatorFlags, options.args ?? process.argv.slice(2));
  if (parsed.kind === "help") {
    process.stdout.write(formatHelp(operatorFlags, { usage: `${process.argv[1] ?? "operator"} [flags]` }));
    return;
  }
  const flags = parsed.options;
  const log = loggerFrom(flags);
  const runtime = systemRuntime({ log });
  const config = loadConfig({
    ...(flags.kubeconfig !== "" && { path: flags.kubeconfig }),
    ...(flags.context !== "" && { context: flags.context }),
  });
  const client = connect(config);
  const namespace = flags.leaderElectionNamespace || config.namespace || "default";
  const registry = createMetrics({ countItself: false });
  addProcessMetrics(registry, systemClock);
  const manager = createManager({
    ...options.manager,
    client,
    runtime,
    registry,
    servers: nodeServers({ onError: (error) => log.error("a request failed", { error }) }),
    health: { address: flags.healthProbeBindAddress },
    metrics: metricsOptions(flags, client),
    webhooks: {
      address: flags.webhookBindAddress,
      ...webhookCertificates(options, { flags, client, runtime, namespace: config.namespace ?? "default" }),
    },
    ...(flags.leaderElect && {
      leaderElection: {
        id: options.leaderElectionId,
        namespace,
        identity: `${hostname()}_${randomUuid(runtime.random)}`,
        ...options.manager?.leaderElection,
      },
    }),
  });
  manager.healthCheck("healthz", () => undefined);
  manager.readyCheck("readyz", () => undefined);
  try {
    await options.setUp(manager);
    reportStart(manager);
    await manager.start(options.signal ?? processSignal());
  } finally {
    await client.close();
  }
}

type Flags = Extract<ReturnType<typeof parseFlags<typeof operatorFlags>>, { kind: "options" }>["options"];

function metricsOptions(flags: Flags, client: Client): NonNullable<ManagerOptions["metrics"]> {
  const address = flags.metricsBindAddress;
  if (!flags.metricsSecure) return { address };
  const certificates =
    flags.metricsCertPath === ""
      ? selfSigned()
      : certificateFiles({
          directory: flags.metricsCertPath,
          certificateName: flags.metricsCertName,
          keyName: flags.metricsCertKey,
        });
  return { address, certificates, authorize: metricsGuard(client) };
}

function webhookCertificates(
  { webhookCertificates: managed }: RunOperatorOptions,
  { flags, client, runtime, namespace }: { flags: Flags; client: Client; runtime: Runtime; namespace: string },
): Pick<NonNullable<ManagerOptions["webhooks"]>, "certificates"> {
  if (flags.webhookCertPath !== "")
    return {
      certificates: certificateFiles({
        directory: flags.webhookCertPath,
        certificateName: flags.webhookCertName,
        keyName: flags.webhookCertKey,
        onError: (error) =>
          runtime.log.warn("the webhook certificate could not be read; the last one is served", { error }),
      }),
    };
  if (managed) return { certificates: managedCertificates({ namespace, ...managed, client, runtime }) };
  // controller-runtime's default folder.
  return { certificates: certificateFiles({ directory: join(tmpdir(), "k8s-webhook-server", "serving-certs") }) };
}

/** The first SIGTERM or SIGINT ends in order, the second at once. */
export function processSignal(): AbortSignal {
  if (!isStartedByCommand()) return signalOfProcess();
  // Where the command was killed, nobody is left to end this process.
  const signal = signalOfProcess("disconnect");
  process.channel?.unref();
  return signal;
}

/** Whether `coxswain operator run` started this process, and has a channel to it. */
const isStartedByCommand = (): boolean =>
  process.env["COXSWAIN_OPERATOR_RUN"] !== undefined && process.send !== undefined;

function reportStart(manager: Manager): void {
  if (!isStartedByCommand()) return;
  // A manager that did not start is reported by the process's end.
  manager.started.then(
    () => void process.send?.("started"),
    () => {},
  );
}
