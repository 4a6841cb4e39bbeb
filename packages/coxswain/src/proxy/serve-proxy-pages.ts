import { kubernetesRelease } from "@coxswain/api/release";
import { createComponentPages, type Page } from "@coxswain/component/endpoint";
import type { MetricsRegistry } from "@coxswain/component/metrics";
import {
  createHealthPages,
  type PlainServer,
  type ProxyConfig,
  type RunningProxy,
  servePlain,
  splitHostPort,
} from "@coxswain/proxy";
import type { Runtime } from "@coxswain/runtime";
import { sleep } from "@coxswain/runtime/wait";

export interface ProxyPagesOptions {
  readonly config: ProxyConfig;
  readonly health: RunningProxy["health"];
  readonly metrics: MetricsRegistry;
  readonly flags: () => ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
}

/** Between two tries to bind a port, as upstream (cmd/kube-proxy/app/server.go, serveMetrics). */
const retryMs = 5_000;

/**
 * The two servers of kube-proxy: health for load balancers, and metrics and other pages, both by plain HTTP. Rejects if one cannot be
 * bound and the configuration asks for that; otherwise it is tried again.
 */
export async function serveProxyPages(runtime: Runtime, options: ProxyPagesOptions): Promise<void> {
  const { config, health, metrics } = options;
  const healthPage = createHealthPages(health, metrics);
  const pages = createComponentPages({
    component: "kube-proxy",
    checks: { healthz: [], livez: [], readyz: [] },
    metrics,
    configz: () => ({ "kubeproxy.config.k8s.io": config }),
    flags: options.flags,
    version: kubernetesRelease.gitVersion,
    startedAt: runtime.clock.now(),
    clock: runtime.clock,
    profiling: config.enableProfiling,
  });
  const answers: readonly (readonly [string, (url: URL) => Page | undefined | Promise<Page | undefined>])[] = [
    [
      config.healthzBindAddress,
      ({ pathname }) => {
        const page = healthPage(pathname);
        return page && { ...page, contentType: "application/json" };
      },
    ],
    [
      config.metricsBindAddress,
      ({ pathname, searchParams }) =>
        pathname === "/proxyMode"
          ? { body: "nftables" }
          : pages({ method: "GET", path: pathname, query: searchParams, headers: {} }),
    ],
  ];
  await Promise.all(answers.map(([address, answer]) => serve(runtime, { address, answer }, options)));
}

async function serve(
  runtime: Runtime,
  { address, answer }: { address: string; answer: (url: URL) => Page | undefined | Promise<Page | undefined> },
  { config, signal }: ProxyPagesOptions,
): Promise<void> {
  const where = splitHostPort(address);
  if (where === undefined) throw new Error(`${address} is no address and port`);
  for (;;) {
    try {
      const server = await servePlain(where, (request, response) => {
        const target = request.url ?? "/";
        const url = URL.canParse(target, "http://proxy") ? new URL(target, "http://proxy") : undefined;
        Promise.resolve(url && answer(url)).then(
          (page) => write(response, page ?? { status: 404, body: "404 page not found\n" }),
          (error: unknown) => {
            runtime.log.error("a page cannot be made", { error });
            write(response, { status: 500, body: "internal server error\n" });
          },
        );
      });
      closeAtEnd(server, signal);
      return;
    } catch (error) {
      if (config.bindAddressHardFail)
        throw new Error(`${address} cannot be bound: ${(error as Error).message}`, { cause: error });
      runtime.log.error("an address cannot be bound and is tried again", { address, error });
      await sleep(retryMs, { clock: runtime.ioClock, signal }).catch(() => {});
      if (signal.aborted) return;
    }
  }
}

function closeAtEnd(server: PlainServer, signal: AbortSignal): void {
  if (signal.aborted) void server.close();
  else signal.addEventListener("abort", () => void server.close(), { once: true });
}

function write(
  response: { writeHead(status: number, headers: Record<string, string>): { end(body: string | Uint8Array): unknown } },
  { status = 200, contentType = "text/plain; charset=utf-8", body }: Page,
): void {
  response.writeHead(status, { "content-type": contentType, "x-content-type-options": "nosniff" }).end(body);
}
