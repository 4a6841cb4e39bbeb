import { createServer, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { InsideConnections } from "@coxswain/apiserver";
import { listenPrivately } from "@coxswain/component/private-socket";
import type { UsageReader } from "@coxswain/kubelet";
import { joinStreams } from "./join-streams.js";
import {
  type DialHeader,
  decodeHeader,
  dialHeader,
  encodeHeader,
  type FailureHeader,
  failureHeader,
  type UsageQuestion,
  usagePath,
} from "./nodes-protocol.js";
import { tokenCheck } from "./part-tokens.js";

export interface ServeNodesOptions {
  /** Where the socket is made, with mode 0600. */
  readonly path: string;
  readonly token: string;
  readonly connections: InsideConnections;
  readonly usage: UsageReader;
}

/** In the nodes' process: answers the API server, which is another one, for kubelets and pods. */
export function serveNodes(options: ServeNodesOptions): Promise<{ stop(): Promise<void> }> {
  const { path, token, connections, usage } = options;
  const isToken = tokenCheck(token);
  const isAllowed = ({ headers: { authorization = "" } }: IncomingMessage): boolean =>
    isToken(authorization.replace(/^Bearer /, ""));
  const server = createServer((request, response) => {
    if (!isAllowed(request)) return void response.writeHead(401).end();
    void answerUsage(usage, request.url ?? "").then(
      (answer) => response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.on("connect", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!isAllowed(request)) return void socket.end("HTTP/1.1 401 Unauthorized\r\n\r\n");
    const { hostname, port } = targetOf(request.url ?? "");
    const { scheme, user } = decodeHeader<DialHeader>(String(request.headers[dialHeader]));
    const made = connections.connect({ hostname, port, scheme, user });
    if (made.kind === "failed") {
      const failure: FailureHeader = { code: made.code, address: made.address };
      return void socket.end(`HTTP/1.1 502 Bad Gateway\r\n${failureHeader}: ${encodeHeader(failure)}\r\n\r\n`);
    }
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    if (head.length > 0) socket.unshift(head);
    joinStreams(socket, made.connection);
  });
  return listenPrivately(server, path);
}

function targetOf(authority: string): { hostname: string; port: number } {
  const at = authority.lastIndexOf(":");
  return { hostname: authority.slice(0, at).replace(/^\[|\]$/g, ""), port: Number(authority.slice(at + 1)) };
}

function answerUsage(usage: UsageReader, target: string): Promise<unknown> {
  const { pathname, searchParams } = new URL(target, "http://nodes");
  if (pathname !== usagePath) return Promise.resolve(undefined);
  const { of, name, namespace } = Object.fromEntries(searchParams) as UsageQuestion & { namespace?: string };
  if (of === "nodes") return name === undefined ? usage.allNodeMetrics() : usage.nodeMetrics(name);
  return name === undefined || namespace === undefined
    ? usage.allPodMetrics(namespace)
    : usage.podMetrics(namespace, name);
}
