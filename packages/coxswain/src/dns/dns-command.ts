import { networkInterfaces } from "node:os";
import { kubernetesRelease } from "@coxswain/api/release";
import { connect, loadConfig } from "@coxswain/client/node";
import { formatHelp, type OptionsOf, parseOnlyFlags } from "@coxswain/component/flags";
import {
  addProcessMetrics,
  createMetrics,
  type MetricsRegistry,
  metricsContentType,
} from "@coxswain/component/metrics";
import { type Listening, type RunningDns, servePages, startDns } from "@coxswain/dns";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { sleep } from "@coxswain/runtime/wait";
import { loggerFrom } from "../command/log-flags.js";
import { untilSignal } from "../command/until-signal.js";
import { dnsFlags } from "./dns-flags.js";
import { forwardOptionsFrom, readIfThere } from "./forward-options.js";

type DnsCommandOptions = OptionsOf<typeof dnsFlags>;

export async function runDns(args: readonly string[]): Promise<number> {
  const parsed = parseOnlyFlags(dnsFlags, args);
  if (parsed.kind === "help") {
    process.stdout.write(
      formatHelp(dnsFlags, {
        usage: "coxswain dns [flags]",
        description: "Answers DNS questions about the services of any cluster, in place of CoreDNS, in the foreground.",
      }),
    );
    return 0;
  }
  const { options } = parsed;
  const log = loggerFrom(options);
  const signal = untilSignal();
  const metrics = createMetrics();
  addProcessMetrics(metrics, systemClock);
  const client = connect(loadConfig(options.kubeconfig === undefined ? {} : { path: options.kubeconfig }), {
    userAgent: `coxswain-dns/${kubernetesRelease.gitVersion}`,
    onWarning: () => {},
  });
  const dns = startDns({
    runtime: systemRuntime({ log, metrics }),
    client,
    zones: {
      domain: options.clusterDomain.toLowerCase().replace(/\.$/, ""),
      ttl: options.ttl,
      pods: options.pods as "insecure" | "disabled",
      localAddresses: localAddresses(options.bindAddress),
    },
    forward: forwardOptionsFrom({ ...options, resolvConf: readIfThere(options.resolvConf) }),
    clientQueriesPerSecond: options.clientQueriesPerSecond,
    metricsName: `dns://${options.bindAddress}:${options.port}`,
  });
  try {
    return await serve(dns, options, { metrics, signal });
  } catch (error) {
    log.error("the DNS server ends", { error });
    return 1;
  } finally {
    await dns.stop();
    await client.close();
  }
}

async function serve(
  dns: RunningDns,
  options: DnsCommandOptions,
  { metrics, signal }: { metrics: MetricsRegistry; signal: Promise<unknown> },
): Promise<number> {
  let isEnding = false;
  const pages = await servePagesOf(options, metrics, () => dns.isReady && !isEnding);
  try {
    const { port } = await dns.listen({ host: options.bindAddress, port: options.port });
    dns.ready.then(
      () => process.stdout.write(`Answering for ${options.clusterDomain} on ${options.bindAddress}:${port}\n`),
      () => {}, // it was stopped before
    );
    await signal;
    isEnding = true;
    await sleep(options.lameduck, { clock: systemClock });
    return 0;
  } finally {
    await Promise.all(pages.map((page) => page.stop()));
  }
}

/** As CoreDNS's: health is that the process answers, readiness that the cluster was read. */
async function servePagesOf(
  options: DnsCommandOptions,
  metrics: MetricsRegistry,
  isReady: () => boolean,
): Promise<Listening[]> {
  const host = options.pagesBindAddress ?? options.bindAddress;
  const all = [
    { port: options.healthPort, pages: { "/health": () => ({ status: 200, body: "OK" }) } },
    {
      port: options.readyPort,
      pages: { "/ready": () => (isReady() ? { status: 200, body: "OK" } : { status: 503, body: "kubernetes" }) },
    },
    {
      port: options.metricsPort,
      pages: { "/metrics": () => ({ status: 200, body: metrics.text(), contentType: metricsContentType }) },
    },
  ];
  return Promise.all(all.filter(({ port }) => port !== 0).map(({ port, pages }) => servePages({ host, port }, pages)));
}

/** Where others reach a server that is bound to `address`: for NS records. */
function localAddresses(address: string): string[] {
  if (address !== "0.0.0.0" && address !== "::") return /^(?:127\.|::1$)/.test(address) ? [] : [address];
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address: own }) => !internal && !own.startsWith("fe80:"))
    .map(({ address: own }) => own);
}
