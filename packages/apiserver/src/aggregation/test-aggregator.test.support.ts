import { mkdtempSync, rmSync } from "node:fs";
import type { IncomingMessage, RequestOptions } from "node:http";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { ensureCertificates } from "@coxswain/component/certificates";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { createMemoryStore } from "@coxswain/storage/memory";
import { startApiServer } from "../server/compose/api-server.js";
import type { ApiServerOptions } from "../server/compose/api-server-options.js";
import { createInProcessClient, type InProcessClient } from "../server/in-process/in-process-client.js";
import { listen } from "../server/listener/listener.js";
import { fishGroup, startTestBackend } from "./test-backend.test.support.js";

/** A server on a port of its own, and an aggregated one that is not registered yet. */
export async function startTestAggregator(options: Partial<ApiServerOptions> = {}) {
  const directory = mkdtempSync(join(tmpdir(), "coxswain-aggregation-"));
  const certificates = ensureCertificates(directory, { clock: systemClock, random: systemRandom });
  const backend = await startTestBackend(["fish.aquarium.svc"], certificates.frontProxyCa.certificate);
  const server = await startApiServer({
    runtime: systemRuntime(),
    store: createMemoryStore({ runtime: systemRuntime() }),
    serviceRouting: { resolver: { resolve: () => ({ hostname: "127.0.0.1", port: backend.port }) } },
    aggregation: { credentials: certificates.frontProxyClient },
    ...options,
  });
  const listener = await listen(
    {
      port: 0,
      certificate: certificates.server.certificate,
      key: certificates.server.key,
      clientAuthority: certificates.ca.certificate,
      runtime: systemRuntime(),
    },
    (sent, sink) => void server.serve(sent, sink),
  );
  const api = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
  const url = `https://127.0.0.1:${listener.port}`;
  const tls = {
    ca: certificates.ca.certificate,
    cert: certificates.admin.certificate,
    key: certificates.admin.key,
  };
  const open = (path: string, sending: RequestOptions & { body?: string } = {}): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { body, ...more } = sending;
      request(`${url}${path}`, { agent: false, ...tls, ...more }, resolve)
        .on("error", reject)
        .end(body);
    });
  return {
    server,
    backend,
    api,
    url,
    tls,
    /** The head of an answer, while its body comes. */
    open,
    async ask(path: string, sending: RequestOptions & { body?: string } = {}) {
      const response = await open(path, sending);
      return { code: response.statusCode ?? 0, headers: response.headers, text: await text(response) };
    },
    /** Everything that an APIService for the backend needs, and the APIService. */
    async register(spec: object = { caBundle: backend.caBundle }): Promise<void> {
      await create(api, "/api/v1/namespaces", { kind: "Namespace", apiVersion: "v1", metadata: { name: "aquarium" } });
      await createService(api);
      await create(api, "/apis/discovery.k8s.io/v1/namespaces/aquarium/endpointslices", endpoints);
      await create(api, "/apis/apiregistration.k8s.io/v1/apiservices", fishService(spec));
    },
    async stop() {
      listener.stopAccepting();
      await server.stop();
      await listener.close();
      await backend.stop();
      rmSync(directory, { recursive: true });
    },
  };
}

export type TestAggregator = Awaited<ReturnType<typeof startTestAggregator>>;

export const create = (api: InProcessClient, path: string, body: object): Promise<unknown> =>
  api.request({ method: "POST", path, body });

export const createService = (api: InProcessClient, port = 443): Promise<unknown> =>
  create(api, "/api/v1/namespaces/aquarium/services", {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "fish" },
    spec: { ports: [{ port, name: "https" }] },
  });

export const endpoints = {
  apiVersion: "discovery.k8s.io/v1",
  kind: "EndpointSlice",
  metadata: { name: "fish-1", labels: { "kubernetes.io/service-name": "fish" } },
  addressType: "IPv4",
  endpoints: [{ addresses: ["10.0.0.7"], conditions: { ready: true } }],
  ports: [{ name: "https", port: 8443 }],
};

export const fishService = (spec: object) => ({
  apiVersion: "apiregistration.k8s.io/v1",
  kind: "APIService",
  metadata: { name: `v1.${fishGroup}` },
  spec: {
    group: fishGroup,
    version: "v1",
    groupPriorityMinimum: 1500,
    versionPriority: 7,
    service: { namespace: "aquarium", name: "fish" },
    ...spec,
  },
});

interface Condition {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** Waits until the APIService has the condition with `reason`. */
export async function untilReason(api: InProcessClient, reason: string, name = `v1.${fishGroup}`): Promise<Condition> {
  const done = new AbortController();
  const path = `/apis/apiregistration.k8s.io/v1/apiservices?watch=1&fieldSelector=metadata.name%3D${name}`;
  for await (const { object } of api.watch({ method: "GET", path, signal: done.signal })) {
    const { status } = object as { status?: { conditions?: readonly Condition[] } };
    const found = status?.conditions?.find((each) => each.reason === reason);
    if (!found) continue;
    done.abort();
    return found;
  }
  throw new Error(`the watch ended before ${name} had the reason ${reason}`);
}
