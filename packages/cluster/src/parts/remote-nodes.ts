import { request as ask } from "node:http";
import type { Duplex } from "node:stream";
import { buffer } from "node:stream/consumers";
import { connectError, type InsideConnections, type InsideDial } from "@coxswain/apiserver";
import { connectedPair, type UsageReader } from "@coxswain/kubelet";
import { joinStreams } from "./join-streams.js";
import {
  decodeHeader,
  dialHeader,
  encodeHeader,
  type FailureHeader,
  failureHeader,
  type UsageQuestion,
  usagePath,
} from "./nodes-protocol.js";

export interface RemoteNodesOptions {
  /** The socket of the nodes' process. */
  readonly socketPath: string;
  readonly token: string;
  /** Whether a name or an address is one of theirs. */
  owns(hostname: string): boolean;
}

/** The nodes of another process, for the API server's. While that one does not run, they are cut off. */
export function createRemoteNodes({ socketPath, token, owns }: RemoteNodesOptions): {
  readonly connections: InsideConnections;
  readonly usage: UsageReader;
} {
  const headers = { authorization: `Bearer ${token}` };
  async function usageOf<T>(question: UsageQuestion, none: T): Promise<T> {
    const path = `${usagePath}?${new URLSearchParams(definedOf(question))}`;
    const answer = await new Promise<Buffer | undefined>((resolve, reject) => {
      const request = ask({ socketPath, path, headers, agent: false });
      request.once("response", (response) => {
        if (response.statusCode === 200) buffer(response).then(resolve, reject);
        else resolve(void response.resume());
      });
      request.once("error", () => resolve(undefined));
      request.end();
    });
    return answer === undefined ? none : (JSON.parse(answer.toString()) as T);
  }
  return {
    connections: {
      owns,
      connect: (dial) => ({ kind: "connected", connection: openTunnel(dial, { socketPath, headers }) }),
    },
    usage: {
      nodeMetrics: (name) => usageOf({ of: "nodes", name }, undefined),
      allNodeMetrics: () => usageOf({ of: "nodes" }, []),
      podMetrics: (namespace, name) => usageOf({ of: "pods", namespace, name }, undefined),
      allPodMetrics: (namespace) => usageOf({ of: "pods", ...(namespace !== undefined && { namespace }) }, []),
    },
  };
}

const definedOf = (question: UsageQuestion): Record<string, string> => ({ ...question });

interface Tunnel {
  readonly socketPath: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * A connection that is about to be, as a socket's is: `connecting` until it emits "connect" or fails with the error of a failed connect.
 * What is written meanwhile waits.
 */
function openTunnel({ hostname, port, scheme, user }: InsideDial, { socketPath, headers }: Tunnel): Duplex {
  const [ours, theirs] = connectedPair();
  const connection = Object.assign(theirs, { connecting: true });
  const fail = ({ code, address }: FailureHeader): void => {
    connection.connecting = false;
    connection.destroy(connectError(code, address, port));
  };
  const unreachable: FailureHeader = { code: "EHOSTUNREACH", address: hostname };
  ours.on("error", () => undefined);
  // It may break before its user listens: that is the user's to find in the closed connection, and no end of the process.
  theirs.on("error", () => undefined);
  const request = ask({
    socketPath,
    method: "CONNECT",
    path: `${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`,
    headers: { ...headers, [dialHeader]: encodeHeader({ scheme, user }) },
    agent: false,
  });
  ours.once("close", () => request.destroy());
  request.once("error", () => fail(unreachable));
  request.once("connect", (response, socket, head) => {
    const failure = response.headers[failureHeader];
    if (response.statusCode !== 200) {
      socket.destroy();
      return fail(typeof failure === "string" ? decodeHeader<FailureHeader>(failure) : unreachable);
    }
    connection.connecting = false;
    if (head.length > 0) socket.unshift(head);
    joinStreams(ours, socket);
    connection.emit("connect");
  });
  request.end();
  return connection;
}
