import { internalError, type Status } from "@coxswain/apimachinery/status";
import { createSpdyConnection, runSpdyCommand, type SpdyConnection } from "@coxswain/wire/spdy";
import { type Channels, channelProtocols, openChannels } from "@coxswain/wire/websocket";
import { untilStopped } from "../../endpoints/until-stopped.js";
import type { UpgradedAnswer } from "../../request/answer.js";
import { acceptClient, firstOf } from "../../request/client-websocket.js";
import type { RequestContext } from "../../request/request-context.js";
import { callBackend } from "./call-backend.js";
import { commandResult, succeeded } from "./command-result.js";
import { DialError } from "./dial-error.js";
import { type Location, urlOf } from "./location.js";
import { readRefusal } from "./read-refusal.js";
import type { StreamDeps } from "./stream-deps.js";
import type { CommandOptions } from "./stream-options.js";

const v5 = "v5.channel.k8s.io";
const spdyProtocols = [v5, "v4.channel.k8s.io", "v3.channel.k8s.io", "v2.channel.k8s.io", "channel.k8s.io"];
/** The numbers of the channels. */
const channel = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;

/**
 * Speaks WebSocket (v5) with the client and SPDY with the kubelet. The client's handshake comes first, so whatever goes
 * wrong later is reported on the error channel.
 */
export function translateCommand(
  deps: StreamDeps,
  context: RequestContext,
  location: Location,
  options: CommandOptions,
): UpgradedAnswer {
  return {
    as: "upgraded",
    async run() {
      const websocket = acceptClient(context.request, { choose: firstOf([v5]) }, deps.streams);
      if (!websocket) return;
      const signal = untilStopped(deps, context);
      const first = options.stdout ? channel.stdout : options.stderr ? channel.stderr : channel.error;
      const channels = openChannels(websocket, channelProtocols[v5]!, 5);
      channels.announce(first);
      const left = new AbortController();
      void channels.closed.then(() => left.abort());
      signal.addEventListener("abort", () => left.abort(), { once: true });
      const status = await runCommand(deps, location, options, channels, left.signal).catch(
        (err: unknown) => internalError(err instanceof Error ? err.message : String(err)).status,
      );
      channels.channel(channel.error).write(JSON.stringify(status));
      await channels.close();
    },
  };
}

/** Resolves with what became of the command. Rejects where that is not known. */
async function runCommand(
  deps: StreamDeps,
  location: Location,
  options: CommandOptions,
  channels: Channels,
  signal: AbortSignal,
): Promise<Status> {
  // What nobody asked for must be read all the same, or it would hold up the rest.
  for (const unread of [
    channel.stdout,
    channel.stderr,
    channel.error,
    ...(options.stdin ? [] : [channel.stdin]),
    ...(options.tty ? [] : [channel.resize]),
  ])
    channels.channel(unread).resume();
  const { connection, protocol } = await connectKubelet(deps, location, signal);
  try {
    const sendsSizes = protocol !== "channel.k8s.io" && protocol !== "v2.channel.k8s.io";
    const message = await runSpdyCommand(connection, {
      stdin: options.stdin ? channels.channel(channel.stdin) : undefined,
      stdout: options.stdout ? channels.channel(channel.stdout) : undefined,
      stderr: options.stderr && !options.tty ? channels.channel(channel.stderr) : undefined,
      resize: options.tty && sendsSizes ? channels.channel(channel.resize) : undefined,
    });
    if (signal.aborted) throw new Error("context canceled");
    return message === "" ? succeeded : commandResult(message, protocol);
  } finally {
    connection.destroy();
  }
}

async function connectKubelet(
  deps: StreamDeps,
  location: Location,
  signal: AbortSignal,
): Promise<{ connection: SpdyConnection; protocol: string }> {
  const headers: [string, string][] = [
    ["Connection", "Upgrade"],
    ["Upgrade", "SPDY/3.1"],
    ["Content-Length", "0"],
    ...spdyProtocols.map((name): [string, string] => ["X-Stream-Protocol-Version", name]),
  ];
  const answer = await callBackend({
    location,
    method: "POST",
    headers,
    signal,
    clock: deps.streams.runtime.ioClock,
    network: deps.streams.network,
  }).catch((err: unknown) => {
    throw err instanceof DialError
      ? new Error(`error sending request: Post "${urlOf(location)}": ${err.message}`, { cause: err })
      : err;
  });
  if (answer.kind === "answered")
    throw new Error(`unable to upgrade connection: ${await readRefusal(answer.response)}`);
  const protocol = String(answer.response.headers["x-stream-protocol-version"] ?? "channel.k8s.io");
  return { connection: createSpdyConnection(answer.socket, { role: "client", head: answer.head }), protocol };
}
