import { once } from "node:events";
import { createServer as createPlainServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { refuseUpgrade } from "@coxswain/wire/upgrade";
import { encodePem } from "@coxswain/wire/x509";
import type { NodeAgent } from "../node/node-agent.js";
import { connectedPair } from "../runtime/connected-pair.js";
import type { CommandDeps } from "./accept-command.js";
import type { InsideUser, KubeletAccess } from "./access.js";
import { KubeletRefusal, type KubeletSource } from "./kubelet-source.js";
import { type PageSettings, readOnlyPaths } from "./node-pages.js";
import { type CallTarget, type KubeletCall, servePage, targetOf } from "./serve-page.js";
import { serveUpgrade } from "./serve-upgrade.js";

export interface KubeletListenOptions extends ServingCredentials {
  /** @default 10250 */
  readonly port?: number;
  /** @default all addresses */
  readonly host?: string;
}

/** In PEM. */
export interface ServingCredentials {
  /** Undefined, like the key: there is none yet, and nobody can connect. */
  readonly certificate?: string;
  readonly key?: string;
  /** The authorities that sign client certificates; who has none may present a token. */
  readonly clientAuthority: string;
}

/**
 * The kubelets' server, for all nodes of the process: logs, commands, port-forwarding, pods, usage. A connection inside the process is to
 * one node; behind a port that several nodes share, the node follows from the pod, or from the name or address that the client used.
 */
export interface KubeletServer {
  /**
   * A connection without a socket to the kubelet of a node, for an API server in this process. It carries plain HTTP/1.1, and the identity
   * of the call that it is made for: undefined is a client without credentials.
   */
  connect(node: NodeAgent, user: InsideUser | undefined): Duplex;
  /** Over HTTPS, for other processes. Resolves to the port. */
  listen(options: KubeletListenOptions): Promise<number>;
  /** For connections from now on; those that are there go on. */
  replaceCredentials(credentials: ServingCredentials): void;
  /** Pages of the node over plain HTTP, for everybody (`readOnlyPort`, which is off by default). Resolves to the port. */
  listenReadOnly(options: { readonly port: number; readonly host: string }): Promise<number>;
  stop(): Promise<void>;
}

export interface KubeletServerDeps extends CommandDeps {
  readonly pages: PageSettings;
  readonly access: KubeletAccess;
}

const secureContextOf = ({ certificate, key, clientAuthority: ca }: ServingCredentials) => ({
  ...(certificate !== undefined && { cert: certificate }),
  ...(key !== undefined && { key }),
  ca,
});

export function createKubeletServer(source: KubeletSource, deps: KubeletServerDeps): KubeletServer {
  const servers: Server[] = [];
  const tlsServers: TlsServer[] = [];
  const sockets = new Set<Duplex>();
  const ending = new AbortController();
  /** What connections inside the process were made to, and for whom. */
  const insiders = new WeakMap<object, { readonly node: NodeAgent; readonly user: InsideUser | undefined }>();
  const inside = createPlainServer();
  const readOnly = new Set<Server>();

  const admit = async (request: IncomingMessage, server: Server): Promise<KubeletCall> => {
    const insider = insiders.get(request.socket);
    const target = targetOf(request);
    const node = (): NodeAgent => insider?.node ?? nodeOf(source, request, target);
    if (readOnly.has(server)) return readOnlyCall({ source, request, ...target, node, bound: undefined });
    await deps.access.check(
      {
        user: insider?.user,
        certificate: insider ? undefined : certificateOf(request),
        authorization: request.headers.authorization,
      },
      { method: request.method ?? "GET", path: target.url.pathname, node: () => node().name },
    );
    return { source, request, ...target, node, bound: insider?.node };
  };

  function attach(server: Server): void {
    servers.push(server);
    server.on("connection", (socket: Duplex) => {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    });
    answerOn(server, { admit: (request) => admit(request, server), deps, ending: ending.signal });
  }
  attach(inside);

  return {
    connect(node, user) {
      const [ours, theirs] = connectedPair();
      insiders.set(ours, { node, user });
      inside.emit("connection", ours);
      return theirs;
    },
    replaceCredentials(credentials) {
      for (const server of tlsServers) server.setSecureContext(secureContextOf(credentials));
    },
    async listen({ port = 10250, host, ...credentials }) {
      const server = createTlsServer({
        ...secureContextOf(credentials),
        requestCert: true,
        rejectUnauthorized: false,
      });
      tlsServers.push(server);
      server.on("tlsClientError", () => undefined); // a client that gives up in the handshake
      attach(server);
      server.listen(port, host);
      await once(server, "listening");
      return (server.address() as AddressInfo).port;
    },
    async listenReadOnly({ port, host }) {
      const server = createPlainServer();
      readOnly.add(server);
      attach(server);
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

interface Answering {
  /** @throws KubeletRefusal where the client may not ask */
  admit(request: IncomingMessage): Promise<KubeletCall>;
  readonly deps: KubeletServerDeps;
  readonly ending: AbortSignal;
}

/** Answers the requests that a server receives. */
function answerOn(server: Server, { admit, deps, ending }: Answering): void {
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    void admit(request)
      .then((call) =>
        isGone(request)
          ? undefined
          : servePage(call, response, { settings: deps.pages, ending, clock: deps.runtime.clock }),
      )
      .catch((error: unknown) => {
        const { code, message } = refusalOf(error);
        if (response.headersSent) return void response.destroy();
        response.writeHead(code, { "content-type": "text/plain; charset=utf-8" }).end(message);
      });
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => undefined); // a client that is gone
    void admit(request)
      .then((call) => (isGone(request) ? undefined : serveUpgrade(call, { request, socket, head }, deps)))
      .catch((error: unknown) => {
        const { code, message } = refusalOf(error);
        refuseUpgrade(socket, code, message);
      });
  });
}

/** @throws KubeletRefusal 404 for all but a few pages */
function readOnlyCall(call: KubeletCall): KubeletCall {
  if (call.request.method === "GET" && readOnlyPaths.has(call.url.pathname)) return call;
  throw new KubeletRefusal(404, "404 page not found\n");
}

/** Whether the client left while it was looked up who it is: nobody would end what is begun for it. */
const isGone = ({ socket }: IncomingMessage): boolean => socket.destroyed;

/** The client's certificate, where the handshake verified it. */
function certificateOf(request: IncomingMessage): string | undefined {
  const socket = request.socket as TLSSocket;
  const raw = socket.authorized ? socket.getPeerCertificate().raw : undefined;
  return raw && encodePem("CERTIFICATE", raw);
}

/** The node that a client means, behind a port that several share: that of the pod, or of the name or address. @throws KubeletRefusal */
function nodeOf(source: KubeletSource, request: IncomingMessage, { namespace, pod }: CallTarget): NodeAgent {
  const host = (request.headers.host ?? "").replace(/:\d+$/, "");
  const { servername } = request.socket as TLSSocket;
  const node =
    source.findPod(namespace, pod)?.agent ??
    source.nodeAt(servername || host) ??
    source.nodeAt(host) ??
    source.onlyNode();
  if (!node) throw new KubeletRefusal(404, `there is no node ${host} here`);
  if (!node.isConnected) throw new KubeletRefusal(503, `node "${node.name}" does not answer`);
  return node;
}

function refusalOf(error: unknown): { code: number; message: string } {
  if (error instanceof KubeletRefusal) return { code: error.code, message: error.message };
  return { code: error instanceof URIError ? 400 : 500, message: (error as Error).message };
}
