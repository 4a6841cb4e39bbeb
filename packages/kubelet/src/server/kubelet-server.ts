import { createServer as createPlainServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type Duplex, duplexPair } from "node:stream";
import type { TLSSocket } from "node:tls";
import { refuseUpgrade } from "@coxswain/wire/upgrade";
import type { NodeAgent } from "../node/node-agent.js";
import { serveLogs } from "./container-logs.js";
import { findPod, findRunningRun } from "./find-run.js";
import { KubeletRefusal, type KubeletSource } from "./kubelet-source.js";
import { podList, resourceMetrics, statsSummary } from "./node-pages.js";
import { forwardPorts } from "./port-forward.js";
import { acceptCommand, type CommandDeps, commandStatus, failureStatus } from "./remote-command.js";

export interface KubeletListenOptions {
  /** @default 10250 */
  readonly port?: number;
  /** @default all addresses */
  readonly host?: string;
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
  /** PEM of the authority that signs the certificates of those who may ask. */
  readonly clientAuthority: string;
  /** Who may ask, by the certificate's subject. @default kube-apiserver-kubelet-client, and members of system:masters */
  mayAsk?(client: { readonly commonName: string; readonly organizations: readonly string[] }): boolean;
}

/**
 * The kubelets' server, for all nodes of the process: logs, commands, port-forwarding, pods, usage. Which node is meant
 * follows from the pod, or from the name or address that the client used.
 */
export interface KubeletServer {
  /** A connection without a socket to the kubelet of a node, for an API server in this process. It carries plain HTTP/1.1. */
  connect(node: NodeAgent): Duplex;
  /** Over HTTPS, for other processes. Resolves to the port. */
  listen(options: KubeletListenOptions): Promise<number>;
  stop(): Promise<void>;
}

/** The node that a connection inside the process was made to. */
const nodesOfSockets = new WeakMap<object, NodeAgent>();

export function createKubeletServer(source: KubeletSource, deps: CommandDeps): KubeletServer {
  const servers: Server[] = [];
  const sockets = new Set<Duplex>();
  const ending = new AbortController();
  const inside = createPlainServer();

  function attach(server: Server, check: (request: IncomingMessage) => void): void {
    servers.push(server);
    const track = (socket: Duplex): void => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    };
    server.on("connection", track);
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      void respond(request, response, check).catch((error: unknown) => {
        const { code, message } = refusalOf(error);
        if (response.headersSent) return void response.destroy();
        response.writeHead(code, { "content-type": "text/plain; charset=utf-8" }).end(message);
      });
    });
    server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      socket.on("error", () => undefined); // a client that is gone
      try {
        check(request);
        upgrade(request, socket, head);
      } catch (error) {
        const { code, message } = refusalOf(error);
        refuseUpgrade(socket, code, message);
      }
    });
  }
  attach(inside, () => {});

  async function respond(
    request: IncomingMessage,
    response: ServerResponse,
    check: (request: IncomingMessage) => void,
  ): Promise<void> {
    check(request);
    const url = new URL(request.url ?? "/", "https://node");
    const [, verb = "", namespace = "", pod = "", ...rest] = url.pathname.split("/").map(decodeURIComponent);
    const life = new AbortController();
    response.once("close", () => life.abort());
    if (verb === "containerLogs")
      return serveLogs(
        source,
        { namespace, pod, container: rest.at(-1) ?? "", query: url.searchParams },
        response,
        AbortSignal.any([life.signal, ending.signal]),
      );
    if (verb === "run") return runOnce(namespace, pod, rest.at(-1) ?? "", url.searchParams, response, life.signal);
    const text = (body: string): void =>
      void response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).end(body);
    const json = (body: object): void =>
      void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    switch (url.pathname.endsWith("/") ? url.pathname.slice(0, -1) : url.pathname) {
      case "/healthz":
      case "/healthz/ping":
      case "/healthz/log":
      case "/healthz/syncloop":
        return text("ok");
      case "/pods":
        return json(podList(nodeOf(request)));
      case "/runningpods": {
        const list = podList(nodeOf(request));
        return json({ ...list, items: list.items.filter(({ status }) => status?.phase === "Running") });
      }
      case "/stats/summary":
        return json(await statsSummary(nodeOf(request)));
      case "/metrics":
      case "/metrics/resource":
        return text(await resourceMetrics(nodeOf(request)));
      default:
        throw new KubeletRefusal(404, "404 page not found\n");
    }
  }

  /** `POST /run/…`: a command without streams, whose output is the answer. */
  async function runOnce(
    namespace: string,
    pod: string,
    container: string,
    query: URLSearchParams,
    response: ServerResponse,
    signal: AbortSignal,
  ): Promise<void> {
    const found = findPod(source, namespace, pod);
    const command = query.get("cmd")?.split(" ") ?? query.getAll("command");
    const chunks: Uint8Array[] = [];
    const keep = (chunk: Uint8Array): void => void chunks.push(chunk);
    await found.agent.context.runtime.exec(
      findRunningRun(found, container),
      command,
      { stdout: keep, stderr: keep, tty: false },
      signal,
    );
    response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).end(Buffer.concat(chunks));
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const url = new URL(request.url ?? "/", "https://node");
    const [, verb = "", namespace = "", name = "", ...rest] = url.pathname.split("/").map(decodeURIComponent);
    const found = findPod(source, namespace, name);
    if (verb === "portForward") return forwardPorts(found, { request, socket, head });
    if (verb !== "exec" && verb !== "attach") throw new KubeletRefusal(404, "404 page not found\n");
    const id = findRunningRun(found, rest.at(-1) ?? "");
    const { runtime } = found.agent.context;
    acceptCommand(deps, { request, socket, head }, ({ stdin, stdout, stderr, error, tty, signal, close }) => {
      const streams = {
        ...(stdin && { stdin: stdin as AsyncIterable<Buffer> }),
        stdout: (chunk: Uint8Array) => void stdout?.write(chunk),
        stderr: (chunk: Uint8Array) => void (tty ? stdout : stderr)?.write(chunk),
        tty,
      };
      const ended =
        verb === "attach"
          ? runtime.attach(id, streams, signal).then(() => commandStatus(0))
          : runtime
              .exec(id, url.searchParams.getAll("command"), streams, signal)
              .then(({ exitCode }) => commandStatus(exitCode));
      void ended
        .catch((failure: Error) => failureStatus(failure.message))
        .then((status) => {
          stdout?.end();
          stderr?.end();
          error.end(JSON.stringify(status), close);
        });
    });
  }

  function nodeOf(request: IncomingMessage): NodeAgent {
    const inside = nodesOfSockets.get(request.socket);
    const host = (request.headers.host ?? "").replace(/:\d+$/, "");
    const { servername } = request.socket as TLSSocket;
    const node = inside ?? source.nodeAt(servername || host) ?? source.nodeAt(host) ?? source.onlyNode();
    if (!node) throw new KubeletRefusal(404, `there is no node ${host} here`);
    if (!node.isConnected) throw new KubeletRefusal(503, `node "${node.name}" does not answer`);
    return node;
  }

  return {
    connect(node) {
      const [ours, theirs] = duplexPair();
      nodesOfSockets.set(ours, node);
      inside.emit("connection", ours);
      return theirs;
    },
    async listen({ port = 10250, host, certificate, key, clientAuthority, mayAsk = isApiServer }) {
      const server = createTlsServer({
        cert: certificate,
        key,
        ca: clientAuthority,
        requestCert: true,
        rejectUnauthorized: true,
      });
      attach(server, (request) => {
        const { subject } = (request.socket as TLSSocket).getPeerCertificate();
        const organizations = [subject?.O ?? []].flat();
        if (!mayAsk({ commonName: [subject?.CN ?? ""].flat()[0] ?? "", organizations }))
          throw new KubeletRefusal(403, "Forbidden");
      });
      server.listen(port, host);
      await once(server, "listening");
      return (server.address() as AddressInfo).port;
    },
    async stop() {
      ending.abort();
      for (const socket of sockets) socket.destroy();
      await Promise.all(
        servers.filter(({ listening }) => listening).map((server) => new Promise((done) => server.close(done))),
      );
    },
  };
}

const isApiServer: NonNullable<KubeletListenOptions["mayAsk"]> = ({ commonName, organizations }) =>
  commonName === "kube-apiserver-kubelet-client" || organizations.includes("system:masters");

function refusalOf(error: unknown): { code: number; message: string } {
  if (error instanceof KubeletRefusal) return { code: error.code, message: error.message };
  return { code: error instanceof URIError ? 400 : 500, message: (error as Error).message };
}
