import { posix } from "node:path";
import type { Runtime } from "@coxswain/runtime";
import type { Network } from "../network/network.js";
import { readBundle } from "./ca-bundle.js";
import type { CertificateMetrics } from "./certificate-metrics.js";
import { type FindCredentials, noCredentials } from "./hook-credentials.js";
import type { ServiceResolver } from "./service-resolver.js";
import { createWebhookClient, type WebhookClient } from "./webhook-client.js";

/** Where a webhook is, in the form that admission and conversion webhooks share. */
export interface HookLocation {
  readonly url?: string;
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    readonly path?: string;
    readonly port?: number;
  };
  /** PEM, in base64. @default the system's authorities */
  readonly caBundle?: string;
}

export interface HookClientDeps {
  readonly runtime: Runtime;
  readonly resolver: ServiceResolver;
  readonly network: Network;
  /** @default none are shown */
  readonly credentials?: FindCredentials;
  readonly certificates?: CertificateMetrics;
}

/** Clients of webhooks that are configured in the API. Webhooks at the same place share connections. */
export interface HookClients {
  /** Throws an Error where the location cannot be used. */
  clientFor(location: HookLocation): WebhookClient;
  stop(): void;
}

/** As many as upstream keeps (k8s.io/apiserver/pkg/util/webhook/client.go, defaultCacheSize); the one that was not used for longest goes. */
const maxCachedClients = 200;
const timeoutMs = 30_000;

export function createHookClients(deps: HookClientDeps): HookClients {
  /** In the order of their last use. */
  const clients = new Map<string, WebhookClient>();
  return {
    clientFor(location) {
      const key = JSON.stringify([location.url, location.service, location.caBundle]);
      const client = clients.get(key) ?? createClient(location, deps);
      clients.delete(key);
      clients.set(key, client);
      for (const [oldest, unused] of clients) {
        if (clients.size <= maxCachedClients) break;
        clients.delete(oldest);
        unused.closeIdle();
      }
      return client;
    },
    stop() {
      for (const client of clients.values()) client.stop();
      clients.clear();
    },
  };
}

function createClient({ url, service, caBundle = "" }: HookLocation, deps: HookClientDeps): WebhookClient {
  const { runtime, resolver, network, credentials = noCredentials, certificates } = deps;
  const authority = readBundle(caBundle);
  const more = authority === undefined ? {} : { certificateAuthority: authority };
  const options = {
    runtime,
    timeoutMs,
    network,
    userAgent: "kube-apiserver-admission",
    isRetriable: () => false,
    ...(certificates && { certificates }),
  };
  if (service) {
    const { namespace, name, path = "", port = 443 } = service;
    const host = `${name}.${namespace}.svc`;
    return createWebhookClient(
      {
        server: `https://${host}:${port}${cleanPath(path)}`,
        insecure: false,
        serverName: host,
        ...credentials(`${host}:${port}`),
        ...more,
      },
      { ...options, dial: () => resolver.resolve({ namespace, name, port }) },
    );
  }
  if (url === undefined || url === "") throw new Error("webhook configuration must have either service or URL");
  const parsed = new URL(url);
  const server = `${parsed.protocol}//${parsed.host}${cleanPath(parsed.pathname)}`;
  const target = `${parsed.hostname}:${parsed.port === "" ? "443" : parsed.port}`;
  return createWebhookClient({ server, insecure: false, ...credentials(target), ...more }, options);
}

/** As Go joins paths: no empty segments, no slash at the end. */
const cleanPath = (path: string): string => {
  const clean = posix.normalize(`/${path}`);
  return clean.length > 1 && clean.endsWith("/") ? clean.slice(0, -1) : clean;
};
