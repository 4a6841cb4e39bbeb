import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import type { Duplex, Readable, Writable } from "node:stream";
import type { TLSSocket } from "node:tls";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { acceptSpdy, isSpdyRequest, type SpdyStream } from "@coxswain/wire/spdy";
import { refuseUpgrade } from "@coxswain/wire/upgrade";
import { acceptWebSocket, channelProtocols, openChannels, planHandshake } from "@coxswain/wire/websocket";

export interface TestNode {
  readonly port: number;
  /** What it was asked for: method, target and who asked. */
  readonly asked: { method: string; url: string; headers: IncomingMessage["headers"]; client: string }[];
  /** Connections that are open. */
  readonly sockets: Set<Duplex>;
  /** How much a flood has written so far. */
  readonly flooded: { bytes: number };
  /** "resize": a terminal got another size. "started": a command runs. */
  readonly events: EventEmitter<{ resize: [size: string]; started: [] }>;
  /** Cuts every connection. */
  cut(): void;
  stop(): Promise<void>;
}

/**
 * As much of a kubelet as streams need: it serves logs, runs commands as processes of this machine, forwards ports of this
 * machine, and shows a page. It speaks SPDY and the older WebSocket protocols.
 */
export async function startTestNode(tls: {
  certificate: string;
  key: string;
  clientAuthority: string;
}): Promise<TestNode> {
  const asked: TestNode["asked"] = [];
  const sockets = new Set<Duplex>();
  const flooded = { bytes: 0 };
  const events: TestNode["events"] = new EventEmitter();
  const note = (request: IncomingMessage): void => {
    const subject = (request.socket as TLSSocket).getPeerCertificate().subject as { CN?: string } | undefined;
    asked.push({
      method: request.method ?? "",
      url: request.url ?? "",
      headers: request.headers,
      client: subject?.CN ?? "",
    });
  };
  const server = createServer(
    { cert: tls.certificate, key: tls.key, ca: tls.clientAuthority, requestCert: true, rejectUnauthorized: true },
    (request, response) => {
      note(request);
      answer(request, response, flooded);
    },
  );
  server.on("secureConnection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    note(request);
    upgrade(request, socket, head, { events, flooded });
  });
  server.listen(0, "0.0.0.0");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    sockets,
    flooded,
    events,
    cut: () => sockets.forEach((socket) => socket.destroy()),
    async stop() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function answer(request: IncomingMessage, response: ServerResponse, flooded: { bytes: number }): void {
  const url = new URL(request.url ?? "/", "https://node");
  if (url.pathname.startsWith("/containerLogs/")) return answerLog(url, response, flooded);
  if (url.pathname === "/page")
    return void response
      .writeHead(200, { "content-type": "text/html; charset=utf-8", "access-control-allow-origin": "*" })
      .end('<a href="/next">next</a><A HREF=/bare>b</A><img src=\'near.png\'><script>"<a href=/no>"</script>');
  if (url.pathname === "/moved") return void response.writeHead(302, { location: "/next?x=1" }).end();
  response.writeHead(200, {
    "content-type": "application/octet-stream",
    "x-method": request.method ?? "",
    "x-uri": String(request.headers["x-forwarded-uri"]),
  });
  request.pipe(response);
}

function answerLog(url: URL, response: ServerResponse, flooded: { bytes: number }): void {
  const container = url.pathname.split("/").at(-1);
  if (container === "refusing")
    return void response.writeHead(400, { "content-type": "text/plain" }).end("container is waiting to start");
  const odd = /^status-(\d+)$/.exec(container ?? "")?.[1];
  if (odd !== undefined)
    return void response.socket?.end(
      `HTTP/1.1 ${odd} Odd\r\nConnection: upgrade\r\nUpgrade: odd\r\nContent-Length: 0\r\n\r\n`,
    );
  response.writeHead(200, { "content-type": "text/plain" });
  if (container === "flood") return flood(response, flooded);
  response.write("one\ntwo\n");
  if (url.searchParams.get("follow") === "true") response.write("and on\n");
  else response.end();
}

/** Writes for as long as the other side reads. */
function flood(response: ServerResponse, flooded: { bytes: number }): void {
  const block = Buffer.alloc(64 * 1024, "x");
  const more = (): void => {
    while (!response.destroyed && flooded.bytes < 1 << 30) {
      flooded.bytes += block.length;
      if (!response.write(block)) return;
    }
  };
  response.on("drain", more);
  more();
}

/** Where a test reads what happened. */
type Observations = Pick<TestNode, "events" | "flooded">;

function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, observed: Observations): void {
  const url = new URL(request.url ?? "/", "https://node");
  if (url.pathname === "/echo") {
    socket
      .on("error", () => undefined)
      .write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\nX-Node: here\r\n\r\nhello ");
    return void socket.pipe(socket);
  }
  if (url.pathname.includes("/refusing/") || url.pathname.endsWith("/refusing"))
    return refuseUpgrade(socket, 500, "the container is not running");
  const wanted = (request.headers["x-stream-protocol-version"] ?? "").toString().split(", ");
  if (!isSpdyRequest(request.headers)) return runOverWebSocket(url, request, socket, head, observed);
  if (url.pathname.startsWith("/portForward/")) return forwardPorts(socket, head);
  const streams = new Map<string, SpdyStream>();
  const needed = [
    "error",
    ...(url.searchParams.has("input") ? ["stdin"] : []),
    ...(url.searchParams.has("output") ? ["stdout"] : []),
    ...(url.searchParams.has("error") && !url.searchParams.has("tty") ? ["stderr"] : []),
    ...(url.searchParams.has("tty") ? ["resize"] : []),
  ];
  acceptSpdy(socket, head, {
    headers: {
      "X-Stream-Protocol-Version": wanted.includes("v4.channel.k8s.io") ? "v4.channel.k8s.io" : (wanted[0] ?? ""),
    },
    onStream(stream) {
      streams.set(stream.headers.get("streamtype")?.[0] ?? "", stream);
      stream.on("error", () => undefined);
      if (needed.every((type) => streams.has(type)))
        run(
          url,
          {
            stdin: streams.get("stdin"),
            stdout: streams.get("stdout"),
            stderr: streams.get("stderr"),
            error: streams.get("error") as SpdyStream,
            resize: streams.get("resize"),
          },
          socket,
          observed,
        );
    },
  });
}

interface Command {
  stdin: Readable | undefined;
  stdout: Writable | undefined;
  stderr: Writable | undefined;
  error: Writable;
  resize: Readable | undefined;
}

function run(
  url: URL,
  { stdin, stdout, stderr, error, resize }: Command,
  socket: Duplex,
  { events, flooded }: Observations,
): void {
  const command = url.pathname.startsWith("/attach/")
    ? ["sh", "-c", "echo attached; cat"]
    : url.searchParams.getAll("command");
  const child = spawn(command[0] ?? "true", command.slice(1), { stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.on("error", () => undefined);
  child.stdout.on("data", (chunk: Buffer) => (flooded.bytes += chunk.length));
  child.once("spawn", () => events.emit("started"));
  resize?.on("data", (size: Buffer) => events.emit("resize", size.toString().trim()));
  socket.once("close", () => child.kill("SIGKILL"));
  if (stdin) stdin.pipe(child.stdin);
  else child.stdin.end();
  if (stdout) child.stdout.pipe(stdout);
  else child.stdout.resume();
  if (stderr) child.stderr.pipe(stderr);
  else child.stderr.resume();
  child.once("close", (code) =>
    error.end(
      JSON.stringify(
        code === 0
          ? { metadata: {}, status: "Success" }
          : {
              metadata: {},
              status: "Failure",
              reason: "NonZeroExitCode",
              message: `command terminated with non-zero exit code: exit status ${code}`,
              details: { causes: [{ reason: "ExitCode", message: String(code) }] },
            },
      ),
    ),
  );
}

function runOverWebSocket(
  url: URL,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  observed: Observations,
): void {
  const plan = planHandshake(request.headers, Object.keys(channelProtocols));
  if (plan.kind === "refuse") return refuseUpgrade(socket, 403, plan.message);
  const websocket = acceptWebSocket(socket, head, plan, { clock: systemClock, random: systemRandom });
  const channels = openChannels(websocket, channelProtocols[plan.protocol]!, 5);
  const error = channels.channel(3);
  error.once("finish", () => void channels.close());
  run(
    url,
    {
      stdin: url.searchParams.has("input") ? channels.channel(0) : undefined,
      stdout: channels.channel(1),
      stderr: channels.channel(2),
      error,
      resize: url.searchParams.has("tty") ? channels.channel(4) : undefined,
    },
    socket,
    observed,
  );
}

/** For each connection an error stream and a data stream with the same number. */
function forwardPorts(socket: Duplex, head: Buffer): void {
  const errors = new Map<string, SpdyStream>();
  acceptSpdy(socket, head, {
    headers: { "X-Stream-Protocol-Version": "portforward.k8s.io" },
    onStream(stream) {
      const [id = "", type = "", port = "0"] = ["requestid", "streamtype", "port"].map(
        (name) => stream.headers.get(name)?.[0] ?? "",
      );
      stream.on("error", () => undefined);
      if (type === "error") return void errors.set(id, stream);
      const target = connect(Number(port), "127.0.0.1");
      target.on("error", (err) => {
        errors.get(id)?.end(`error forwarding port ${port}: ${err.message}`);
        stream.end();
      });
      target.once("close", () => errors.get(id)?.end());
      stream.pipe(target).pipe(stream);
    },
  });
}
