import { kubernetesRelease } from "@coxswain/api/release";
import { formatHelp, parseOnlyFlags } from "@coxswain/component/flags";
import { levelOfVerbosity } from "@coxswain/component/log";
import { addProcessMetrics, createMetrics } from "@coxswain/component/metrics";
import { cleanUp, createNft, type ProxyConfig } from "@coxswain/proxy";
import { type Runtime, systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { flagTexts } from "../command/flag-texts.js";
import { loggerFrom } from "../command/log-flags.js";
import { untilSignal } from "../command/until-signal.js";
import { openConnection } from "../component/cluster-connection.js";
import { proxyFlags } from "./proxy-flags.js";
import { type ProxyFlagOptions, settingsFrom } from "./proxy-settings.js";
import { type RunningNodeProxy, startNodeProxy } from "./start-node-proxy.js";

export async function runProxy(args: readonly string[]): Promise<number> {
  const parsed = parseOnlyFlags(proxyFlags, args);
  if (parsed.kind === "help") {
    process.stdout.write(
      formatHelp(proxyFlags, {
        usage: "coxswain proxy [flags]",
        description:
          "Sends connections to services to their endpoints, by nftables on this node, in place of kube-proxy.",
      }),
    );
    return 0;
  }
  const { options } = parsed;
  if (options.cleanup) {
    const problems = await cleanUp(createNft(systemClock));
    for (const problem of problems) process.stderr.write(`coxswain proxy: ${problem}\n`);
    return problems.length === 0 ? 0 : 1;
  }
  const config = settingsFrom(options);
  const metrics = createMetrics();
  addProcessMetrics(metrics, systemClock);
  const log = loggerFrom({
    ...options,
    loggingFormat: config.logging.format === "json" ? "json" : options.loggingFormat,
    ...(options.v === undefined &&
      config.logging.verbosity > 0 && { logLevel: levelOfVerbosity(config.logging.verbosity) }),
  });
  const runtime = systemRuntime({ log, metrics });
  try {
    return await run(runtime, { options, config, metrics });
  } catch (error) {
    log.error("the proxy ends", { error });
    return 1;
  }
}

async function run(
  runtime: Runtime,
  {
    options,
    config,
    metrics,
  }: { options: ProxyFlagOptions; config: ProxyConfig; metrics: ReturnType<typeof createMetrics> },
): Promise<number> {
  const { clientConnection } = config;
  const connection = openConnection({
    kubeconfig: clientConnection.kubeconfig || options.kubeconfig,
    master: options.master,
    // As in client-go, a negative number is no limit.
    qps: clientConnection.qps > 0 ? clientConnection.qps : undefined,
    burst: clientConnection.burst,
    userAgent: `kube-proxy/${kubernetesRelease.gitVersion}`,
  });
  let proxy: RunningNodeProxy | undefined;
  try {
    const { masqueradePods, networkPolicy } = options;
    const flags = (): ReadonlyMap<string, string> => flagTexts(proxyFlags, options);
    proxy = await startNodeProxy(runtime, {
      client: connection.client,
      config,
      masqueradePods,
      networkPolicy,
      metrics,
      flags,
    });
    const { ready, nodeName } = proxy;
    const signalled = untilSignal();
    const working = ready.then(() => runtime.log.info("the proxy is working", { node: nodeName }));
    await Promise.race([working.then(() => signalled), signalled]);
    return 0;
  } finally {
    await proxy?.stop();
    await connection.close();
  }
}
