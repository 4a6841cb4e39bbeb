import type { Duplex, Readable, Writable } from "node:stream";
import type { Runtime } from "@coxswain/runtime";
import { acceptSpdy, isSpdyRequest, type SpdyStream } from "@coxswain/wire/spdy";
import { refuseUpgrade } from "@coxswain/wire/upgrade";
import { acceptWebSocket, channelProtocols, openChannels, planHandshake } from "@coxswain/wire/websocket";
import type { StreamOptions } from "./stream-options.js";
import type { UpgradeCall } from "./upgrade.js";

/** The streams of a command that a client has opened. */
export interface CommandStreams {
  readonly stdin: Readable | undefined;
  readonly stdout: Writable | undefined;
  readonly stderr: Writable | undefined;
  /** Sizes of the terminal, as JSON. */
  readonly resize: Readable | undefined;
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

type Run = (streams: CommandStreams) => void;

/** Accepts a connection for a command, over SPDY or WebSocket, and calls `run` when the streams that it asked for are there. */
export function acceptCommand(deps: CommandDeps, call: UpgradeCall, options: StreamOptions, run: Run): void {
  const ending = new AbortController();
  call.socket.once("close", () => ending.abort());
  call.socket.on("error", () => ending.abort());
  if (isSpdyRequest(call.request.headers)) acceptBySpdy(call, options, ending, run);
  else acceptByWebSocket(deps, call, options, ending, run);
}

function acceptByWebSocket(
  { runtime: { ioClock, random } }: CommandDeps,
  { request, socket, head }: UpgradeCall,
  { stdin, stdout, stderr, tty }: StreamOptions,
  ending: AbortController,
  run: Run,
): void {
  const plan = planHandshake(request.headers, Object.keys(channelProtocols));
  if (plan.kind === "refuse") return refuseUpgrade(socket, 400, plan.message);
  const websocket = acceptWebSocket(socket, head, plan, { clock: ioClock, random });
  const channels = openChannels(websocket, channelProtocols[plan.protocol] as (typeof channelProtocols)[""], 5);
  // As upstream's createWebSocketStreams (k8s.io/cri-streaming/pkg/streaming/remotecommand/websocket.go): on the lowest channel that is written to.
  channels.announce(stdout ? 1 : stderr ? 2 : 3);
  void channels.closed.then(() => ending.abort());
  const wanted = (isWanted: boolean, number: number): Duplex | undefined => {
    const channel = channels.channel(number);
    // What nobody reads would hold up the rest.
    if (!isWanted) channel.resume();
    return isWanted ? channel : undefined;
  };
  run({
    stdin: wanted(stdin, 0),
    stdout: wanted(stdout, 1),
    stderr: wanted(stderr, 2),
    resize: wanted(tty, 4),
    error: channels.channel(3),
    protocol: plan.protocol,
    tty,
    signal: ending.signal,
    close: () => void channels.close(),
  });
}

const spdyProtocols = ["v4.channel.k8s.io", "v3.channel.k8s.io", "v2.channel.k8s.io", "channel.k8s.io"];

function acceptBySpdy(
  { request, socket, head }: UpgradeCall,
  { stdin, stdout, stderr, tty }: StreamOptions,
  ending: AbortController,
  run: Run,
): void {
  const offered = String(request.headers["x-stream-protocol-version"] ?? "").split(",");
  const protocol = spdyProtocols.find((name) => offered.some((each) => each.trim() === name)) ?? "";
  const resize = tty && protocol !== "v2.channel.k8s.io" && protocol !== "channel.k8s.io" && protocol !== "";
  const wants = { error: true, stdin, stdout, stderr, resize };
  const needed = Object.entries(wants).flatMap(([name, isWanted]) => (isWanted ? [name] : []));
  const streams = new Map<string, SpdyStream>();
  let hasBegun = false;
  acceptSpdy(socket, head, {
    headers: { "X-Stream-Protocol-Version": protocol },
    onStream(stream) {
      const type = stream.headers.get("streamtype")?.[0] ?? "";
      stream.on("error", () => undefined); // the connection's own error ends everything
      streams.set(type, stream);
      const error = streams.get("error");
      if (hasBegun || !needed.includes(type)) stream.resume(); // nobody waits for it
      if (hasBegun || !error || !needed.every((name) => streams.has(name))) return;
      hasBegun = true;
      run({
        stdin: streams.get("stdin"),
        stdout: streams.get("stdout"),
        stderr: streams.get("stderr"),
        resize: streams.get("resize"),
        error,
        protocol,
        tty,
        signal: ending.signal,
        close: () => {},
      });
    },
  });
}
