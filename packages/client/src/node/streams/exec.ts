import { resourcePath } from "../../rest/index.js";
import type { NodeTransport } from "../http/index.js";
import type { CommandStreams, RemoteCommand } from "./remote-command.js";
import { commandOverSpdy, spdyCommandProtocols } from "./spdy-command.js";
import { NoWebSocket, openSpdy, openWebSocket } from "./upgrade.js";
import { commandOverWebSocket } from "./websocket-command.js";

export interface AttachOptions {
  readonly namespace: string;
  readonly pod: string;
  /** Needed where there are several. */
  readonly container?: string;
  /** @default false */
  readonly stdin?: boolean;
  /** @default true */
  readonly stdout?: boolean;
  /** @default true, without a terminal */
  readonly stderr?: boolean;
  /** @default false */
  readonly tty?: boolean;
  readonly signal?: AbortSignal;
}

export interface ExecOptions extends AttachOptions {
  readonly command: readonly string[];
}

/** Runs a command in a container: over a WebSocket, else over SPDY. @throws StatusError, TransportError */
export const exec = (client: { sockets: NodeTransport }, options: ExecOptions): Promise<RemoteCommand> =>
  open(client.sockets, "exec", options, options.command);

/** Joins the main process of a container. @throws StatusError, TransportError */
export const attach = (client: { sockets: NodeTransport }, options: AttachOptions): Promise<RemoteCommand> =>
  open(client.sockets, "attach", options, []);

async function open(
  transport: NodeTransport,
  subresource: "exec" | "attach",
  options: AttachOptions,
  command: readonly string[],
): Promise<RemoteCommand> {
  const { namespace, pod, container, signal, tty = false } = options;
  const wanted: CommandStreams = {
    stdin: options.stdin ?? false,
    stdout: options.stdout ?? true,
    stderr: (options.stderr ?? true) && !tty,
    tty,
  };
  const request = {
    path: resourcePath({ group: "", version: "v1", resource: "pods", namespace, name: pod, subresource }),
    query: [
      ...command.map((part): [string, string] => ["command", part]),
      ...(container === undefined ? [] : ([["container", container]] as [string, string][])),
      ...Object.entries(wanted).flatMap(([name, value]): [string, string][] => (value ? [[name, "true"]] : [])),
    ],
    signal,
  };
  try {
    return endWith(
      commandOverWebSocket(await openWebSocket(transport, { ...request, protocols: ["v5.channel.k8s.io"] }), wanted),
      signal,
    );
  } catch (error) {
    if (!(error instanceof NoWebSocket)) throw error;
  }
  const { connection } = await openSpdy(transport, { ...request, protocols: spdyCommandProtocols });
  return endWith(await commandOverSpdy(connection, wanted), signal);
}

/** Aborting closes the connection. */
function endWith(command: RemoteCommand, signal: AbortSignal | undefined): RemoteCommand {
  const close = (): void => command.close();
  signal?.addEventListener("abort", close, { once: true });
  const release = (): void => signal?.removeEventListener("abort", close);
  command.done.then(release, release);
  return command;
}
