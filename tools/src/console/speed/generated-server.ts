import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { columnDefinitions, podEvent, podRow } from "./generated-pods.js";

export interface GeneratedServer {
  readonly url: string;
  /** Changes a second from now on. */
  setRate(changesPerSecond: number): void;
  stop(): Promise<void>;
}

const tickMs = 20;

/** An API server that has nothing but pods, and makes them when they are asked for: what is measured is the console alone. */
export async function startGeneratedServer(pods: number): Promise<GeneratedServer> {
  const watches = new Set<ServerResponse>();
  let revision = 1_000_000;
  let rate = 0;
  let owed = 0;
  let next = 0;
  const timer = setInterval(() => {
    owed += (rate * tickMs) / 1000;
    let text = "";
    for (; owed >= 1; owed--) text += podEvent((next = (next + 7919) % pods), ++revision);
    if (text !== "") for (const watch of watches) watch.write(text);
  }, tickMs);
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://server");
    response.setHeader("content-type", "application/json");
    const document = documents(url.pathname);
    if (document !== undefined) response.end(JSON.stringify(document));
    else if (url.pathname !== "/api/v1/pods") answerEmpty(request, response, url);
    else if (url.searchParams.get("watch") === "true") {
      response.flushHeaders();
      watches.add(response);
      response.once("close", () => watches.delete(response));
    } else void writePods(response, url, { pods, revision });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setRate: (changesPerSecond) => void (rate = changesPerSecond),
    stop() {
      clearInterval(timer);
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Pages as an API server has them; the token is the number of the next row. */
async function writePods(
  response: ServerResponse,
  url: URL,
  { pods, revision }: { readonly pods: number; readonly revision: number },
): Promise<void> {
  const from = Number(url.searchParams.get("continue") ?? 0);
  const limit = Number(url.searchParams.get("limit") ?? 0) || pods;
  const to = Math.min(pods, from + limit);
  const metadata = { resourceVersion: String(revision), ...(to < pods && { continue: String(to) }) };
  response.write(
    `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":${JSON.stringify(metadata)},"columnDefinitions":${JSON.stringify(columnDefinitions)},"rows":[`,
  );
  for (let at = from; at < to; at += 1000) {
    const rows = Array.from({ length: Math.min(1000, to - at) }, (_, index) => podRow(at + index, revision));
    if (!response.write(`${at > from ? "," : ""}${rows.join(",")}`))
      await new Promise((resolve) => response.once("drain", resolve));
  }
  response.end("]}");
}

const resource = (name: string, kind: string, namespaced: boolean) => ({
  resource: name,
  responseKind: { group: "", version: "v1", kind },
  scope: namespaced ? "Namespaced" : "Cluster",
  singularResource: kind.toLowerCase(),
  verbs: ["get", "list", "watch", "delete"],
});

const core = {
  kind: "APIGroupDiscoveryList",
  apiVersion: "apidiscovery.k8s.io/v2",
  metadata: {},
  items: [
    {
      metadata: {},
      versions: [
        {
          version: "v1",
          freshness: "Current",
          resources: [resource("pods", "Pod", true), resource("namespaces", "Namespace", false)],
        },
      ],
    },
  ],
};

function documents(path: string): unknown {
  if (path === "/version") return { major: "1", minor: "36", gitVersion: "v1.36.4" };
  if (path === "/api") return core;
  if (path === "/apis") return { ...core, items: [] };
  return undefined;
}

/** Of everything else there is nothing; reviews are refused. */
function answerEmpty(request: IncomingMessage, response: ServerResponse, url: URL): void {
  if (request.method !== "GET") {
    response.statusCode = 404;
    response.end(JSON.stringify({ kind: "Status", status: "Failure", code: 404, reason: "NotFound", message: "none" }));
  } else if (url.searchParams.get("watch") === "true") response.flushHeaders();
  else
    response.end(
      JSON.stringify({
        kind: "Table",
        metadata: { resourceVersion: "1" },
        columnDefinitions: [{ name: "Name", type: "string", format: "name" }],
        rows: [],
      }),
    );
}
