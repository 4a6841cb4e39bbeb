import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureCertificates } from "@coxswain/component/certificates";
import { writeKubeconfig } from "@coxswain/component/kubeconfig";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { createMemoryStore } from "@coxswain/storage/memory";
import { startApiServer } from "../../server/compose/api-server.js";
import type { ApiServerOptions } from "../../server/compose/api-server-options.js";
import { createInProcessClient } from "../../server/in-process/in-process-client.js";
import { listen } from "../../server/listener/listener.js";
import { startTestNode } from "./test-node.test.support.js";

/** A server and a node, each on a port of its own, and the pod `web` on that node with some containers. */
export async function startTestCluster(options: Partial<ApiServerOptions> = {}) {
  const directory = mkdtempSync(join(tmpdir(), "coxswain-streams-"));
  const certificates = ensureCertificates(directory, { clock: systemClock, random: systemRandom });
  const ca = certificates.ca.certificate;
  const node = await startTestNode({
    certificate: certificates.server.certificate,
    key: certificates.server.key,
    clientAuthority: ca,
  });
  const kubelet = {
    certificate: certificates.kubeletClient.certificate,
    key: certificates.kubeletClient.key,
    authority: ca,
    mayProxyTo: () => true,
  };
  const server = await startApiServer({
    runtime: systemRuntime(),
    store: createMemoryStore({ runtime: systemRuntime() }),
    admission: { disabled: ["ServiceAccount"] },
    kubelet,
    ...options,
  });
  const listener = await listen(
    {
      port: 0,
      certificate: certificates.server.certificate,
      key: certificates.server.key,
      clientAuthority: ca,
      runtime: systemRuntime(),
    },
    (request, sink) => void server.serve(request, sink),
  );
  const tls = { ca, cert: certificates.admin.certificate, key: certificates.admin.key };
  const url = `https://127.0.0.1:${listener.port}`;
  const kubeconfig = join(directory, "kubeconfig");
  writeKubeconfig(kubeconfig, {
    server: url,
    certificateAuthority: ca,
    clientCertificate: tls.cert,
    clientKey: tls.key,
  });

  const api = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
  const create = (path: string, body: unknown): Promise<unknown> => api.request({ method: "POST", path, body });
  const merge = (path: string, body: unknown): Promise<unknown> =>
    api.request({ method: "PATCH", path, body, headers: { "content-type": "application/merge-patch+json" } });
  await create("/api/v1/nodes", { apiVersion: "v1", kind: "Node", metadata: { name: "n1" } });
  await merge("/api/v1/nodes/n1/status", {
    status: {
      addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
      daemonEndpoints: { kubeletEndpoint: { Port: node.port } },
    },
  });
  const containers = ["main", "side", "flood", "refusing", "status-101", "status-999", "status-099"].map((name) => ({
    name,
    image: "registry.example/app:1",
  }));
  await create("/api/v1/namespaces/default/pods", {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web", annotations: { "kubectl.kubernetes.io/default-container": "main" } },
    spec: { nodeName: "n1", containers },
  });
  const ready = containers.map(({ name }) => ({
    name,
    ready: true,
    restartCount: 0,
    image: "x",
    imageID: "x",
    state: { running: {} },
  }));
  await merge("/api/v1/namespaces/default/pods/web/status", {
    status: {
      phase: "Running",
      podIP: "127.0.0.1",
      podIPs: [{ ip: "127.0.0.1" }],
      conditions: [{ type: "Ready", status: "True" }],
      containerStatuses: ready,
    },
  });

  return {
    node,
    server,
    kubelet,
    url,
    tls,
    kubeconfig,
    directory,
    api,
    create,
    merge,
    /** One plain request. */
    ask: (
      method: string,
      path: string,
      { headers = {}, body }: { headers?: Record<string, string>; body?: string } = {},
    ) =>
      new Promise<{ status: number; headers: Record<string, string | string[] | undefined>; text: string }>(
        (resolve, reject) => {
          const sent = request(`${url}${path}`, { method, headers, agent: false, ...tls }, (response) => {
            let text = "";
            response.setEncoding("utf8").on("data", (chunk) => (text += String(chunk)));
            response
              .once("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
              .once("error", reject);
          });
          sent.on("error", reject).end(body);
        },
      ),
    async stop() {
      listener.stopAccepting();
      await server.stop();
      await listener.close();
      await node.stop();
      rmSync(directory, { recursive: true });
    },
  };
}

export type TestCluster = Awaited<ReturnType<typeof startTestCluster>>;
