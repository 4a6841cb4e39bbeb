import type { ApiServer } from "@coxswain/apiserver";
import { servePages } from "@coxswain/component/endpoint";
import type { UsageReader } from "@coxswain/kubelet";
import type { Logger } from "@coxswain/runtime/log";
import { readCertificates } from "@coxswain/wire/x509";
import { createMetricsPages } from "./metrics-pages.js";

export interface ResourceMetricsOptions {
  readonly usage: UsageReader;
  /** In whose process it is served. */
  readonly server: Pick<ApiServer, "serveOwnApi">;
  /** Of a server named metrics-server.kube-system.svc, as PEM. */
  readonly credentials: { readonly certificate: string; readonly key: string };
  /** Who signed them, as PEM. */
  readonly authority: string;
  /** Who signs the API server's own client certificate, as PEM. */
  readonly frontProxyAuthority: string;
  readonly log: Logger;
}

/** In its certificate: the name under which metrics-server is known. */
export const metricsServerHost = "metrics-server.kube-system.svc";

/**
 * Serves what nodes and pods use as `metrics.k8s.io`, as metrics-server does. Only the API server may ask: it has decided who may see what.
 * There is no APIService and no Service of it, so that metrics-server's own find their names free; once that answers, it is asked instead.
 */
export async function serveResourceMetrics(options: ResourceMetricsOptions): Promise<{ stop(): Promise<void> }> {
  const { usage, server, credentials, log } = options;
  const hostname = "127.0.0.1";
  const pages = await servePages({
    host: hostname,
    port: 0,
    credentials,
    clientAuthorities: options.frontProxyAuthority,
    guard: ({ certificate }) =>
      certificate !== undefined && readCertificates(certificate).length === 1
        ? undefined
        : { status: 401, body: "Unauthorized\n" },
    pages: createMetricsPages(usage),
    onError: (error) => log.warn("metrics could not be served", { error }),
  });
  const withdraw = server.serveOwnApi({
    group: "metrics.k8s.io",
    version: "v1beta1",
    groupPriority: 100,
    versionPriority: 100,
    hostname,
    port: pages.port,
    authority: options.authority,
    serverName: metricsServerHost,
  });
  return {
    async stop() {
      withdraw();
      await pages.stop();
    },
  };
}
