import { writeFile } from "node:fs/promises";
import { availableParallelism, hostname } from "node:os";
import type { Client } from "@coxswain/client";
import type { MetricsRegistry } from "@coxswain/component/metrics";
import {
  createNft,
  type ProxyConfig,
  planLimits,
  setLimits,
  startPolicies,
  startProxy,
  writeMasquerade,
} from "@coxswain/proxy";
import type { Runtime } from "@coxswain/runtime";
import { serveProxyPages } from "./serve-proxy-pages.js";

export interface NodeProxyOptions {
  /** Reads services, endpoints and nodes; with policies also pods, namespaces and policies. */
  readonly client: Client;
  readonly config: ProxyConfig;
  /** Whose connections to anywhere else get the node's address; none: nobody's. */
  readonly masqueradePods: readonly string[];
  /** Whether network policies are enforced on the node's pods. */
  readonly networkPolicy: boolean;
  readonly metrics: MetricsRegistry;
  /** For the page that shows them. */
  readonly flags: () => ReadonlyMap<string, string>;
}

export interface RunningNodeProxy {
  readonly nodeName: string;
  /** Resolves when pages are served and all rules are in the kernel for the first time. */
  readonly ready: Promise<void>;
  /** The tables stay. */
  stop(): Promise<void>;
}

/** The service proxy of this machine with its pages and, where asked for, network policies. @throws Error where nft does not work */
export async function startNodeProxy(runtime: Runtime, options: NodeProxyOptions): Promise<RunningNodeProxy> {
  const { client, config, metrics, masqueradePods } = options;
  const nft = createNft(runtime.ioClock);
  await nft.run("");
  await prepareMachine(runtime, config);
  if (masqueradePods.length > 0) await nft.run(writeMasquerade(masqueradePods));
  const ending = new AbortController();
  const nodeName = (config.hostnameOverride || hostname()).trim().toLowerCase();
  const proxy = startProxy(runtime, { client, config, nodeName });
  const policies = options.networkPolicy ? startPolicies(runtime, { client, nodeName, ...config.nftables }) : undefined;
  const { health } = proxy;
  const pages = serveProxyPages(runtime, { config, health, metrics, flags: options.flags, signal: ending.signal });
  const ready = Promise.all([pages, proxy.ready, policies?.ready]).then(() => {});
  ready.catch(() => {}); // stopped before: an error for those who wait for it, and nobody else
  return {
    nodeName,
    ready,
    async stop() {
      ending.abort();
      await proxy.stop();
      await policies?.stop();
    },
  };
}

/** Neither keeps the proxy from its work where it may not be set. */
async function prepareMachine({ log }: Runtime, config: ProxyConfig): Promise<void> {
  await writeFile("/proc/self/oom_score_adj", String(config.oomScoreAdj)).catch((error: unknown) =>
    log.debug("the OOM score cannot be set", { error }),
  );
  for (const problem of await setLimits(planLimits(config.conntrack, availableParallelism())))
    log.warn("a limit of conntrack cannot be set", { problem });
}
