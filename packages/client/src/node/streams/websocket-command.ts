import { text } from "node:stream/consumers";
import { channelProtocols, openChannels, type WebSocketConnection } from "@coxswain/wire/websocket";
import { TransportError } from "../../transport/transport-error.js";
import { commandResult } from "./command-result.js";
import { type CommandStreams, encodeSize, type RemoteCommand } from "./remote-command.js";

/** The channels of `v5.channel.k8s.io`. */
const channel = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;

/** A command over a WebSocket of the protocol `v5.channel.k8s.io`. */
export function commandOverWebSocket(websocket: WebSocketConnection, wanted: CommandStreams): RemoteCommand {
  const protocol = channelProtocols[websocket.protocol];
  if (protocol === undefined) throw new TypeError(`${websocket.protocol} is no protocol of channels`);
  const channels = openChannels(websocket, protocol, 5);
  const stdin = channels.channel(channel.stdin);
  const resizes = channels.channel(channel.resize);
  const stdout = channels.channel(channel.stdout);
  const stderr = channels.channel(channel.stderr);
  // A channel that nobody reads holds back the others.
  stdin.resume();
  resizes.resume();
  if (!wanted.stdout) stdout.resume();
  if (!wanted.stderr) stderr.resume();
  const done = (async () => {
    const [result, { wasClean, code, reason }] = await Promise.all([
      text(channels.channel(channel.error)),
      channels.closed,
    ]);
    if (result === "" && !wasClean)
      throw new TransportError(
        "lost",
        `the connection to the container was lost (WebSocket code ${code}${reason === "" ? "" : `: ${reason}`})`,
      );
    return commandResult(result);
  })();
  return {
    stdin,
    stdout,
    stderr,
    resize: (size) => void resizes.write(encodeSize(size)),
    done,
    close: () => websocket.close(),
  };
}
