import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { systemRuntime } from "@coxswain/runtime";
import type { BackendService } from "../engine/backend.js";
import { socketsOnly } from "../engine/backend-network.js";
import type { EnginePort, HttpPort } from "../engine/engine.js";
import { noChanges, type RoutedBackend, type RoutedRule } from "../engine/routed-rule.js";
import type { RouteEntry } from "../routing/route-table.js";
import { type BuiltInEngine, createBuiltInEngine } from "./built-in-engine.js";

export const runtime = systemRuntime();

/** A port that was free just now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

export const portOf = (server: Pick<Server, "address">): number => (server.address() as AddressInfo).port;

/** A backend's Service is called by its endpoints' ports: `8080` or `8080,8081`. */
export const service = (...ports: readonly number[]): BackendService => ({
  kind: "service",
  target: { namespace: "default", service: ports.join(","), portName: "" },
  protocol: "http1",
  tls: undefined,
});

export const backend = (destination: RoutedBackend["destination"], weight = 1): RoutedBackend => ({
  weight,
  destination,
  changes: noChanges,
});

export const rule = (changes: Partial<RoutedRule>): RoutedRule => ({
  route: "HTTPRoute default/web",
  name: "",
  protocol: "http",
  changes: noChanges,
  backends: [],
  timeouts: { requestMs: 0, backendRequestMs: 0 },
  retry: undefined,
  session: undefined,
  ...changes,
});

/** A rule for paths that begin so. */
export const entry = (path: string, routed: RoutedRule, hostname = ""): RouteEntry<RoutedRule> => ({
  hostname,
  isOneLabel: false,
  match: { path: { type: "PathPrefix", value: path } },
  rule: routed,
  route: { createdAt: "", name: path, index: 0 },
});

export const httpPort = (port: number, entries: readonly RouteEntry<RoutedRule>[]): HttpPort => ({
  protocol: "http",
  address: "127.0.0.1",
  port,
  redirectPorts: { http: 80, https: 443 },
  listeners: [{ name: "edge/web", hostname: "", entries }],
});

export async function startEngine(ports: readonly EnginePort[]): Promise<BuiltInEngine> {
  const engine = createBuiltInEngine({
    runtime,
    network: socketsOnly,
    endpointsOf: ({ service: name }) =>
      name === "" ? [] : name.split(",").map((port) => ({ address: "127.0.0.1", port: Number(port) })),
  });
  const [failed] = await engine.apply(ports);
  if (failed) throw failed.error;
  return engine;
}

/** A server that sends what the request's path has in base64url behind `/raw/`, and keeps what it received. */
export async function startRawBackend(): Promise<{ server: Server; port: number; received: string[]; close(): void }> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const at = received.push("") - 1;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      received[at] += chunk.toString("latin1");
      const answer = /\/raw\/([\w-]+)(\/end)? /.exec(chunk.toString("latin1"));
      if (!answer) return;
      const bytes = Buffer.from(answer[1]!, "base64url");
      if (answer[2]) socket.end(bytes);
      else socket.write(bytes);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    server,
    port: portOf(server),
    received,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** The path that makes the raw backend answer so. */
export const answering = (text: string): string => `/raw/${Buffer.from(text, "latin1").toString("base64url")}`;

/** Sends bytes, and reads until the connection ends, or what came matches. */
export async function exchange(port: number, sent: string | Buffer, until?: RegExp): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  let text = "";
  socket.write(sent, "latin1");
  const ended = new Promise<void>((resolve) => {
    socket.once("close", () => resolve());
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      if (until?.test(text)) resolve();
    });
  });
  await ended;
  socket.destroy();
  return text;
}
