import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { startHttpsServer } from "../webhook/https-server.test.support.js";

/** What an aggregated server in a test does with a request. */
export type Answering = (request: IncomingMessage, response: ServerResponse) => void;

export const fishGroup = "fish.example.com";
export const fishPath = `/apis/${fishGroup}/v1`;

const fish = { group: fishGroup, version: "v1", kind: "Fish" };
const verbs = ["create", "delete", "get", "list", "watch"];
const discovery = {
  kind: "APIGroupDiscoveryList",
  apiVersion: "apidiscovery.k8s.io/v2",
  metadata: {},
  items: [
    {
      metadata: { name: fishGroup },
      versions: [
        {
          version: "v1",
          resources: [{ resource: "fish", responseKind: fish, scope: "Namespaced", singularResource: "fish", verbs }],
          freshness: "Current",
        },
      ],
    },
  ],
};
const resources = {
  kind: "APIResourceList",
  apiVersion: "v1",
  groupVersion: `${fishGroup}/v1`,
  resources: [{ name: "fish", singularName: "fish", namespaced: true, kind: "Fish", verbs }],
};
const swagger = {
  swagger: "2.0",
  info: { title: "Fish", version: "v1" },
  paths: {
    [`${fishPath}/fish`]: { get: { responses: { 200: { schema: { $ref: "#/definitions/Fish" } } } } },
    "/version": { get: { responses: { 200: { schema: { $ref: "#/definitions/Version" } } } } },
  },
  definitions: { Fish: { type: "object" }, Version: { type: "object" } },
};

export const sendJson = (response: ServerResponse, value: unknown, type = "application/json", code = 200): void => {
  response.writeHead(code, { "content-type": type });
  response.end(JSON.stringify(value));
};

const usual: Readonly<Record<string, Answering>> = {
  "/apis": (_, response) =>
    sendJson(response, discovery, "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"),
  [fishPath]: (_, response) => sendJson(response, resources),
  "/openapi/v2": (_, response) => sendJson(response, swagger),
  "/openapi/v3": (_, response) =>
    sendJson(response, {
      paths: { [fishPath.slice(1)]: { serverRelativeURL: `/openapi/v3${fishPath}?hash=F15` }, version: {} },
    }),
  [`/openapi/v3${fishPath}`]: (_, response) => sendJson(response, { openapi: "3.0.0", paths: {} }),
};

/** A small aggregated API server: it serves fish. `clientAuthority`: the PEM of the authority whose client certificates it trusts. */
export async function startTestBackend(hosts: readonly string[], clientAuthority: string) {
  const answers = new Map<string, Answering>(Object.entries(usual));
  const asked: { path: string; headers: IncomingMessage["headers"]; certificate: string }[] = [];
  const upgraded = new Set<Duplex>();
  const server = await startHttpsServer(
    (request, response) => {
      const [path = ""] = (request.url ?? "").split("?");
      asked.push({ path: request.url ?? "", headers: request.headers, certificate: certificateOf(request) });
      const answer = answers.get(path) ?? ((_, gone) => void gone.writeHead(404).end("404 page not found"));
      answer(request, response);
    },
    { hosts, tls: { requestCert: true, rejectUnauthorized: false, ca: clientAuthority } },
  );
  server.https.on("upgrade", (request: IncomingMessage, socket: Duplex) => {
    asked.push({ path: request.url ?? "", headers: request.headers, certificate: certificateOf(request) });
    upgraded.add(socket);
    socket.on("error", () => {});
    if (request.url === `${fishPath}/refuse`)
      return socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno");
    socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: SPDY/3.1\r\n\r\nhello ");
    socket.pipe(socket);
  });
  return {
    port: server.port,
    caBundle: server.caBundle,
    asked,
    /** From now on the path is answered so; undefined: as usual. */
    on(path: string, answer: Answering | undefined): void {
      const next = answer ?? usual[path];
      if (next) answers.set(path, next);
      else answers.delete(path);
    },
    async stop() {
      for (const socket of upgraded) socket.destroy();
      await server.stop();
    },
  };
}

export type TestBackend = Awaited<ReturnType<typeof startTestBackend>>;

/** The common name of the certificate that was presented, if it is trusted. */
function certificateOf({ socket }: IncomingMessage): string {
  const tls = socket as TLSSocket;
  return tls.authorized ? String(tls.getPeerCertificate().subject.CN) : "";
}
