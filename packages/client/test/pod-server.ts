import { spawn } from "node:child_process";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Duplex, Readable, Writable } from "node:stream";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { acceptSpdy, createSpdyConnection, isSpdyRequest, type SpdyStream } from "@coxswain/wire/spdy";
import { refuseUpgrade } from "@coxswain/wire/upgrade";
import {
  acceptWebSocket,
  channelProtocols,
  isWebSocketRequest,
  openChannels,
  planHandshake,
  tunnelThrough,
} from "@coxswain/wire/websocket";

export interface PodServer {
  readonly server: string;
  /** Method and URL of each request. */
  readonly asked: readonly string[];
  /** Sizes that a terminal was given. */
  readonly sizes: readonly string[];
  stop(): Promise<void>;
}

interface Streams {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly error: Writable;
  readonly resize: Readable | undefined;
}

/** What an API server with one pod on this machine would be to exec and port-forward. */
export async function startPodServer({ speaks }: { speaks: "websocket" | "spdy" }): Promise<PodServer> {
  const asked: string[] = [];
  const sizes: string[] = [];
  const sockets = new Set<Duplex>();
  const settings = { clock: systemClock, random: systemRandom };

  function run(url: URL, streams: Streams, finished: () => void): void {
    const [command = "", ...args] = url.searchParams.getAll("command");
    streams.resize?.on("data", (size: Buffer) => sizes.push(size.toString()));
    const child = spawn(command, args);
    streams.stdin.pipe(child.stdin);
    child.stdin.on("error", () => {});
    child.stdout.pipe(streams.stdout);
    child.stderr.pipe(streams.stderr);
    const report = (status: object): void =>
      void streams.error.end(JSON.stringify({ metadata: {}, ...status }), finished);
    let failed = false;
    child.once("error", (error) => {
      failed = true;
      report({ status: "Failure", reason: "InternalError", message: `cannot run: ${error.message}` });
    });
    child.once("close", (code) => {
      if (failed) return;
      report(
        code === 0
          ? { status: "Success" }
          : {
              status: "Failure",
              reason: "NonZeroExitCode",
              details: { causes: [{ reason: "ExitCode", message: String(code) }] },
            },
      );
    });
  }

  const execOverWebSocket = (request: IncomingMessage, socket: Duplex, head: Buffer, url: URL): void => {
    const plan = planHandshake(request.headers, ["v5.channel.k8s.io"]);
    if (plan.kind === "refuse") return refuseUpgrade(socket, plan.status, plan.message);
    const websocket = acceptWebSocket(socket, head, plan, settings);
    const channels = openChannels(websocket, channelProtocols[plan.protocol]!, 5);
    for (const number of [1, 2, 3]) channels.channel(number).resume();
    const [stdin, stdout, stderr, error, resize] = [0, 1, 2, 3, 4].map((number) => channels.channel(number)) as [
      Duplex,
      Duplex,
      Duplex,
      Duplex,
      Duplex,
    ];
    run(url, { stdin, stdout, stderr, error, resize }, () => void channels.close());
  };

  const execOverSpdy = (socket: Duplex, head: Buffer, url: URL): void => {
    const wanted = ["error", ...["stdin", "stdout", "stderr"].filter((name) => url.searchParams.get(name) === "true")];
    if (url.searchParams.get("tty") === "true") wanted.push("resize");
    const streams = new Map<string, SpdyStream>();
    const connection = acceptSpdy(socket, head, {
      headers: { "X-Stream-Protocol-Version": "v4.channel.k8s.io" },
      onStream(stream) {
        streams.set(stream.headers.get("streamtype")?.[0] ?? "", stream);
        if (streams.size < wanted.length) return;
        const take = (name: string): SpdyStream =>
          streams.get(name) ??
          ({
            pipe: () => {},
            on: () => {},
            once: () => {},
            emit: () => {},
            write: () => true,
            end: () => {},
          } as unknown as SpdyStream);
        setImmediate(() =>
          run(
            url,
            {
              stdin: take("stdin"),
              stdout: take("stdout"),
              stderr: take("stderr"),
              error: take("error"),
              resize: streams.get("resize"),
            },
            () => void connection.close(),
          ),
        );
      },
    });
  };

  const onForwardedStream = (stream: SpdyStream, errors: Map<string, SpdyStream>): void => {
    const id = stream.headers.get("requestid")?.[0] ?? "";
    if (stream.headers.get("streamtype")?.[0] === "error") return void errors.set(id, stream);
    stream.on("error", () => {}); // the client gave it up
    const target = connect(Number(stream.headers.get("port")?.[0]), "127.0.0.1");
    target.once("error", (error) => {
      errors.get(id)?.end(error.message);
      stream.end();
    });
    target.once("connect", () => {
      stream.pipe(target);
      target.pipe(stream);
      target.once("close", () => errors.get(id)?.end());
    });
  };

  const forward = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const errors = new Map<string, SpdyStream>();
    const onStream = (stream: SpdyStream): void => onForwardedStream(stream, errors);
    if (isSpdyRequest(request.headers)) {
      acceptSpdy(socket, head, { headers: { "X-Stream-Protocol-Version": "portforward.k8s.io" }, onStream });
      return;
    }
    const plan = planHandshake(request.headers, ["SPDY/3.1+portforward.k8s.io"]);
    if (plan.kind === "refuse") return refuseUpgrade(socket, plan.status, plan.message);
    createSpdyConnection(tunnelThrough(acceptWebSocket(socket, head, plan, settings)), { role: "server", onStream });
  };

  const http = createServer((_, response) => void response.writeHead(400).end());
  http.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  http.on("upgrade", (request, socket, head) => {
    asked.push(`${request.method} ${request.url}`);
    const url = new URL(request.url ?? "/", "http://pod");
    const isWebSocket = isWebSocketRequest(request.headers);
    if (url.pathname.includes("/pods/missing/"))
      return refuseUpgrade(
        socket,
        404,
        JSON.stringify({
          kind: "Status",
          apiVersion: "v1",
          status: "Failure",
          reason: "NotFound",
          code: 404,
          message: 'pods "missing" not found',
        }),
        { "Content-Type": "application/json" },
      );
    if (isWebSocket !== (speaks === "websocket"))
      return refuseUpgrade(socket, 400, "unable to upgrade: expected SPDY/3.1");
    if (url.pathname.endsWith("/portforward")) return forward(request, socket, head);
    if (isWebSocket) execOverWebSocket(request, socket, head, url);
    else execOverSpdy(socket, head, url);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    server: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    asked,
    sizes,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        http.close(() => resolve());
      }),
  };
}
