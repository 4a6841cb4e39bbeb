import { writeFile } from "node:fs/promises";
import { availableParallelism, hostname } from "node:os";
import { kubernetesRelease } from "@coxswain/api/release";
import { formatHelp, parseOnlyFlags } from "@coxswain/component/flags";
import { levelOfVerbosity } from "@coxswain/component/log";
import { addProcessMetrics, createMetrics } from "@coxswain/component/metrics";
import {
  cleanUp,
  createNft,
  type ProxyConfig,
  planLimits,
  setLimits,
  startPolicies,
  startProxy,
  writeMasquerade,
} from "@coxswain/proxy";
import { type Runtime, systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { flagTexts } from "../command/flag-texts.js";
import { loggerFrom } from "../command/log-flags.js";
import { untilSignal } from "../command/until-signal.js";
import { openConnection } from "../component/cluster-connection.js";
import { proxyFlags } from "./proxy-flags.js";
import { type ProxyFlagOptions, settingsFrom } from "./proxy-settings.js";
import { serveProxyPages } from "./serve-proxy-pages.js";

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
  const nft = createNft(systemClock);
  if (options.cleanup) {
    const problems = await cleanUp(nft);
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
    await nft.run("");
    await prepareMachine(runtime, config);
    if (options.masqueradePods.length > 0) await nft.run(writeMasquerade(options.masqueradePods));
    return await run(runtime, { options, config, metrics });
  } catch (error) {
    log.error("the proxy ends", { error });
    return 1;
  }
}

/** Neither keeps the proxy from its work where it may not be set. */
async function prepareMachine({ log }: Runtime, config: ProxyConfig): Promise<void> {
  await writeFile("/proc/self/oom_score_adj", String(config.oomScoreAdj)).catch((error: unknown) =>
    log.debug("the OOM score cannot be set", { error }),
  );
  for (const problem of await setLimits(planLimits(config.conntrack, availableParallelism())))
    log.warn("a limit of conntrack cannot be set", { problem });
}

async function run(
  runtime: Runtime,
  {
    options,
    config,
    metrics,
  }: { options: ProxyFlagOptions; config: ProxyConfig; metrics: ReturnType<typeof createMetrics> },
): Promise<number> {
  const ending = new AbortController();
  const { clientConnection } = config;
  const connection = openConnection({
    kubeconfig: clientConnection.kubeconfig || options.kubeconfig,
    master: options.master,
    qps: undefined,
    burst: undefined,
    userAgent: `kube-proxy/${kubernetesRelease.gitVersion}`,
  });
  const nodeName = (config.hostnameOverride || hostname()).trim().toLowerCase();
  const { client } = connection;
  const proxy = startProxy(runtime, { client, config, nodeName });
  const policies = options.networkPolicy ? startPolicies(runtime, { client, nodeName, ...config.nftables }) : undefined;
  try {
    const pages = serveProxyPages(runtime, {
      config,
      health: proxy.health,
      metrics,
      flags: () => flagTexts(proxyFlags, options),
      signal: ending.signal,
    });
    const ready = Promise.all([proxy.ready, policies?.ready]).then(() =>
      runtime.log.info("the proxy is working", { node: nodeName }),
    );
    const signalled = untilSignal().then(() => ending.abort());
    await Promise.race([Promise.all([pages, ready]).then(() => signalled), signalled]);
    return 0;
  } finally {
    ending.abort();
    await proxy.stop();
    await policies?.stop();
    await connection.close();
  }
}
