import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { Runtime } from "@coxswain/runtime";
import { acceptSpdy, isSpdyRequest } from "@coxswain/wire/spdy";
import { refuseUpgrade } from "@coxswain/wire/upgrade";
import { requestedProtocols } from "@coxswain/wire/websocket";
import type { StreamsByUrl, StreamsInside } from "../runtime/container-runtime.js";
import { acceptCommand } from "./accept-command.js";
import { chunksOf } from "./chunks.js";
import { forwardByWebSocket } from "./forward-by-websocket.js";
import { pairStreams } from "./port-forward.js";
import { runStreams } from "./run-inside.js";
import type { StreamOptions } from "./stream-options.js";
import type { UpgradeCall } from "./upgrade.js";

/** A server as container runtimes have it: SPDY and WebSocket up to version 4, tokens that are good for one connection. */
export interface StreamingServer {
  readonly streaming: StreamsByUrl;
  /** Sizes of terminals that arrived. */
  readonly sizes: string[];
  /** Head lines of the requests that arrived. */
  readonly requests: { readonly url: string; readonly headers: IncomingMessage["headers"] }[];
  stop(): Promise<void>;
}

/** What a token stands for. */
type Serve = (call: UpgradeCall) => void;

export async function startStreamingServer(inside: StreamsInside, runtime: Runtime): Promise<StreamingServer> {
  const tokens = new Map<string, Serve>();
  const requests: StreamingServer["requests"] = [];
  const sizes: string[] = [];
  const sockets = new Set<Duplex>();
  const server = createServer();
  server.on("connection", (socket) => sockets.add(socket));
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const url = request.url ?? "";
    requests.push({ url, headers: request.headers });
    const serve = tokens.get(url);
    tokens.delete(url);
    if (!serve) return refuseUpgrade(socket, 404, "page not found");
    // As containerd's server answers to a protocol that it does not know.
    if (requestedProtocols(request.headers).includes("v5.channel.k8s.io")) return refuseUpgrade(socket, 403, "");
    serve({ request, socket, head });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const issue = (kind: string, serve: Serve): string => {
    const path = `/${kind}/token-${requests.length}-${tokens.size}`;
    tokens.set(path, serve);
    return `http://127.0.0.1:${port}${path}`;
  };
  const run =
    (options: StreamOptions, id: string, command: readonly string[] | undefined): Serve =>
    (call) =>
      acceptCommand({ runtime }, call, options, (streams) => {
        const { resize } = streams;
        const begin = (): void => void runStreams(inside, id, command, { ...streams, resize: undefined });
        if (!resize) return begin();
        // A command on a terminal begins when the terminal has a size.
        resize.once("data", begin);
        resize.on("data", (chunk: Buffer) => sizes.push(chunk.toString()));
      });
  const forwardOf =
    (podUid: string) =>
    (number: number, data: Duplex): Promise<string | undefined> =>
      inside
        .openPort(
          podUid,
          number,
          { incoming: chunksOf(data), write: (chunk) => void data.write(chunk) },
          new AbortController().signal,
        )
        .then(
          () => undefined,
          ({ message }: Error) => message,
        );
  return {
    sizes,
    requests,
    streaming: {
      kind: "url",
      exec: async ({ id, command, ...options }) => issue("exec", run(options, id, command)),
      attach: async ({ id, ...options }) => issue("attach", run(options, id, undefined)),
      portForward: async ({ podUid, ports }) =>
        issue("portforward", (call) => {
          const headers = { "X-Stream-Protocol-Version": "portforward.k8s.io" };
          if (isSpdyRequest(call.request.headers))
            acceptSpdy(call.socket, call.head, { headers, onStream: pairStreams(forwardOf(podUid)) });
          else forwardByWebSocket(call, ports, { runtime, forward: forwardOf(podUid) });
        }),
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
