import { Agent, request } from "node:https";
import { Readable } from "node:stream";
import { createInProcessTransport, startApiServer } from "@coxswain/apiserver";
import { createClient, createFetchTransport } from "@coxswain/client";
import { createNodeTransport, type NodeTransportOptions } from "@coxswain/client/node";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { describeClient, type OpenedClient } from "./describe-client.js";
import { type ServerUnderTest, startOurServer } from "./our-server.js";
import { hasUpstream, startUpstreamServer } from "./upstream-server.js";

const openOverSockets =
  (start: () => Promise<ServerUnderTest>, options: Partial<NodeTransportOptions> = {}) =>
  async (): Promise<OpenedClient> => {
    const server = await start();
    const warnings: string[] = [];
    const client = createClient({
      transport: createNodeTransport({
        server: server.server,
        tls: () => ({ ca: server.ca, cert: server.cert, key: server.key }),
        ...options,
      }),
      onWarning: (text) => warnings.push(text),
    });
    return {
      client,
      warnings,
      async close() {
        await client.close();
        await server.stop();
      },
    };
  };

/** `fetch` as a platform would have it that knows the cluster's certificates. */
const fetchFor = (server: ServerUnderTest): typeof fetch => {
  const agent = new Agent({ ca: server.ca, cert: server.cert, key: server.key, keepAlive: true });
  return (url, init) =>
    new Promise((resolve, reject) => {
      const { method = "GET", headers, body, signal } = init ?? {};
      const asked = request(String(url), {
        agent,
        method,
        headers: {
          ...(headers as Record<string, string>),
          ...(body && { "content-length": String((body as Uint8Array).length) }),
        },
        ...(signal && { signal }),
      });
      asked.once("error", (error) => reject(signal?.aborted ? signal.reason : error));
      asked.once("response", (response) =>
        resolve(
          new Response(Readable.toWeb(response) as ReadableStream, {
            status: response.statusCode ?? 0,
            headers: Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]),
          }),
        ),
      );
      asked.end(body as Uint8Array | undefined);
    });
};

describeClient("our server over HTTP/2", openOverSockets(startOurServer));
describeClient(
  "our server over HTTP/2 without compression",
  openOverSockets(startOurServer, { disableCompression: true }),
);
describeClient("our server in the same process", async () => {
  const server = await startApiServer({
    runtime: systemRuntime(),
    store: createMemoryStore({ runtime: systemRuntime() }),
    admission: { disabled: ["ServiceAccount"] },
  });
  const warnings: string[] = [];
  const client = createClient({
    transport: createInProcessTransport(server, { user: { name: "admin", groups: ["system:masters"] } }),
    onWarning: (text) => warnings.push(text),
  });
  return { client, warnings, close: () => client.close().then(() => server.stop()) };
});
describeClient("our server over fetch", async () => {
  const server = await startOurServer();
  const warnings: string[] = [];
  const client = createClient({
    transport: createFetchTransport({ server: server.server, fetch: fetchFor(server) }),
    onWarning: (text) => warnings.push(text),
  });
  return { client, warnings, close: () => client.close().then(() => server.stop()) };
});

describeClient("kube-apiserver over HTTP/2", openOverSockets(startUpstreamServer), { skip: !hasUpstream() });
