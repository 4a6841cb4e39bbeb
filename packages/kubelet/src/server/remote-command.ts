import type { IncomingMessage } from "node:http";
import type { Duplex, Readable, Writable } from "node:stream";
import type { Runtime } from "@coxswain/runtime";
import { acceptSpdy, isSpdyRequest, type SpdyStream } from "@coxswain/wire/spdy";
import { refuseUpgrade } from "@coxswain/wire/upgrade";
import { acceptWebSocket, channelProtocols, openChannels, planHandshake } from "@coxswain/wire/websocket";

/** The streams of a command that a client has opened. */
export interface CommandStreams {
  readonly stdin: Readable | undefined;
  readonly stdout: Writable | undefined;
  readonly stderr: Writable | undefined;
  /** Where the result goes, as `resultText` writes it. */
  readonly error: Writable;
  /** The version of the protocol, which the form of the result depends on. */
  readonly protocol: string;
  readonly tty: boolean;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
  /** Ends the connection once everything is sent. */
  close(): void;
}

export interface CommandDeps {
  readonly runtime: Runtime;
}

const spdyProtocols = ["v4.channel.k8s.io", "v3.channel.k8s.io", "v2.channel.k8s.io", "channel.k8s.io"];

/** Accepts a connection for a command, over SPDY or WebSocket, and calls `run` when the streams that it asked for are there. */
export function acceptCommand(
  { runtime: { ioClock, random } }: CommandDeps,
  { request, socket, head }: { request: IncomingMessage; socket: Duplex; head: Buffer },
  run: (streams: CommandStreams) => void,
): void {
  const query = new URL(request.url ?? "/", "https://node").searchParams;
  const asks = (name: string): boolean => query.get(name) === "1" || query.get(name) === "true";
  const tty = asks("tty");
  const wants = {
    stdin: asks("input") || asks("stdin"),
    stdout: asks("output") || asks("stdout"),
    stderr: (asks("error") || asks("stderr")) && !tty,
  };
  const ending = new AbortController();
  socket.once("close", () => ending.abort());
  socket.on("error", () => ending.abort());
  if (!isSpdyRequest(request.headers)) {
    const plan = planHandshake(request.headers, Object.keys(channelProtocols));
    if (plan.kind === "refuse") return refuseUpgrade(socket, 400, plan.message);
    const websocket = acceptWebSocket(socket, head, plan, { clock: ioClock, random });
    const channels = openChannels(websocket, channelProtocols[plan.protocol] as (typeof channelProtocols)[""], 5);
    void channels.closed.then(() => ending.abort());
    channels.channel(4).resume();
    if (!wants.stdin) channels.channel(0).resume();
    return run({
      stdin: wants.stdin ? channels.channel(0) : undefined,
      stdout: wants.stdout ? channels.channel(1) : undefined,
      stderr: wants.stderr ? channels.channel(2) : undefined,
      error: channels.channel(3),
      protocol: plan.protocol,
      tty,
      signal: ending.signal,
      close: () => void channels.close(),
    });
  }
  const offered = String(request.headers["x-stream-protocol-version"] ?? "")
    .split(",")
    .map((each) => each.trim());
  const protocol = spdyProtocols.find((each) => offered.includes(each)) ?? "";
  const needed = ["error", ...Object.entries(wants).flatMap(([name, isWanted]) => (isWanted ? [name] : []))];
  const streams = new Map<string, SpdyStream>();
  const connection = acceptSpdy(socket, head, {
    headers: { "X-Stream-Protocol-Version": protocol },
    onStream(stream) {
      const type = stream.headers.get("streamtype")?.[0] ?? "";
      stream.on("error", () => undefined); // the connection's own error ends everything
      if (type === "resize") stream.resume();
      streams.set(type, stream);
      if (streams.size < needed.length || !needed.every((name) => streams.has(name))) return;
      const [error, stdout, stderr] = [streams.get("error"), streams.get("stdout"), streams.get("stderr")];
      if (type === "resize" || !error) return;
      run({
        stdin: streams.get("stdin"),
        stdout,
        stderr,
        error,
        protocol,
        tty,
        signal: ending.signal,
        close: () => {},
      });
    },
  });
  void connection;
}

/** How a command ended. */
export interface CommandStatus {
  readonly metadata: object;
  readonly status: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: string;
  readonly details?: object;
  readonly code?: number;
}

const statusProtocols = new Set(["v4.channel.k8s.io", "v4.base64.channel.k8s.io", "v5.channel.k8s.io"]);

/**
 * What is written on the error stream: since version 4 the Status, before that the text of a failure, and nothing after a success
 * (k8s.io/cri-streaming/pkg/streaming/remotecommand/httpstream.go, v1WriteStatusFunc and v4WriteStatusFunc).
 */
export function resultText(status: CommandStatus, protocol: string): string {
  if (statusProtocols.has(protocol)) return JSON.stringify(status);
  return status.status === "Success" ? "" : (status.message ?? "");
}

export const commandStatus = (exitCode: number): CommandStatus =>
  exitCode === 0
    ? { metadata: {}, status: "Success" }
    : {
        metadata: {},
        status: "Failure",
        message: `command terminated with non-zero exit code: exit status ${exitCode}`,
        reason: "NonZeroExitCode",
        details: { causes: [{ reason: "ExitCode", message: String(exitCode) }] },
      };

/** As upstream's newInternalError, of a failure that is no exit code. */
export const failureStatus = (failure: string): CommandStatus => ({
  metadata: {},
  status: "Failure",
  message: `Internal error occurred: ${failure}`,
  reason: "InternalError",
  code: 500,
});
