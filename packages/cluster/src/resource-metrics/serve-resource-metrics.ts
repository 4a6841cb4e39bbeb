import { isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import { servePages } from "@coxswain/component/endpoint";
import type { UsageReader } from "@coxswain/kubelet";
import type { Logger } from "@coxswain/runtime/log";
import { readCertificates } from "@coxswain/wire/x509";
import { createMetricsPages } from "./metrics-pages.js";

export interface ResourceMetricsOptions {
  readonly usage: UsageReader;
  /** May write Services and APIServices. */
  readonly client: Client;
  /** Of a server named metrics-server.kube-system.svc, as PEM. */
  readonly credentials: { readonly certificate: string; readonly key: string };
  /** Who signed them, as PEM. */
  readonly authority: string;
  /** Who signs the API server's own client certificate, as PEM. */
  readonly frontProxyAuthority: string;
  /** An address at which the API server reaches it as the endpoint of a service. @default loopback, by a name of this machine */
  readonly address?: string | undefined;
  readonly log: Logger;
}

/** The name under which metrics-server is known. */
export const metricsServerHost = "metrics-server.kube-system.svc";
const names = { apiService: "v1beta1.metrics.k8s.io", service: "metrics-server", namespace: "kube-system" };

/**
 * Serves what nodes and pods use as an aggregated API server, registered as metrics-server is. Only the API
 * server may ask: it has decided who may see what.
 */
export async function serveResourceMetrics(options: ResourceMetricsOptions): Promise<{ stop(): Promise<void> }> {
  const { usage, client, credentials, log } = options;
  const pages = await servePages({
    host: options.address ?? "127.0.0.1",
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
  // A metrics-server that somebody installed meanwhile stays: it has taken the name.
  if (await isTaken(client)) return { stop: () => pages.stop() };
  const labels = { "k8s-app": "metrics-server" };
  await applyService(client, { labels, address: options.address, port: pages.port });
  await client.apiregistration.v1.apiservices().apply(
    {
      metadata: { name: names.apiService, labels },
      spec: {
        group: "metrics.k8s.io",
        version: "v1beta1",
        groupPriorityMinimum: 100,
        versionPriority: 100,
        caBundle: Buffer.from(options.authority).toString("base64"),
        service: { name: names.service, namespace: names.namespace, port: pages.port },
      },
    },
    manager,
  );
  return { stop: () => pages.stop() };
}

/** Whether the API is served by somebody else. Ours is verified by its certificate; metrics-server's own manifests are not. */
async function isTaken(client: Client): Promise<boolean> {
  const found = await client.apiregistration.v1
    .apiservices()
    .get(names.apiService)
    .catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
  const { service, insecureSkipTLSVerify } = found?.spec ?? {};
  if (!found) return false;
  return insecureSkipTLSVerify === true || service?.name !== names.service || service.namespace !== names.namespace;
}

/** Takes back what an earlier process registered, so that others may serve the API. */
export async function withdrawResourceMetrics(client: Client): Promise<void> {
  if (await isTaken(client)) return;
  const gone = (error: unknown): void => {
    if (!isNotFound(error)) throw error;
  };
  await client.apiregistration.v1.apiservices().delete(names.apiService).catch(gone);
  const services = client.core.v1.services(names.namespace);
  const { items } = await services.list({ fieldSelector: `metadata.name=${names.service}` });
  if (items[0]?.spec?.externalName === "localhost") await services.delete(names.service).catch(gone);
}

const manager = { fieldManager: "coxswain-up", force: true };

interface ServicePlace {
  readonly labels: Readonly<Record<string, string>>;
  readonly address: string | undefined;
  readonly port: number;
}

async function applyService(client: Client, { labels, address, port }: ServicePlace): Promise<void> {
  const metadata = { name: names.service, labels };
  const services = client.core.v1.services(names.namespace);
  // Endpoints on loopback are refused by the API: a name leads to this machine.
  if (address === undefined)
    return void (await services.apply(
      { metadata, spec: { type: "ExternalName", externalName: "localhost" } },
      manager,
    ));
  const ports = [{ name: "https", port, protocol: "TCP" as const }];
  await services.apply({ metadata, spec: { type: "ClusterIP", ports } }, manager);
  await client.discovery.v1.endpointslices(names.namespace).apply(
    {
      metadata: { name: `${names.service}-up`, labels: { ...labels, ...sliceLabels } },
      addressType: "IPv4",
      ports,
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
    },
    manager,
  );
}

const sliceLabels = {
  "kubernetes.io/service-name": names.service,
  "endpointslice.kubernetes.io/managed-by": "up.coxswain.dev",
};
