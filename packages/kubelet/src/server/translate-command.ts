import { connectSpdy, runSpdyCommand, type SpdyConnection } from "@coxswain/wire/spdy";
import { requestedProtocols } from "@coxswain/wire/websocket";
import type { CommandStreams } from "./accept-command.js";
import { failureStatus, resultText } from "./command-status.js";
import type { UpgradeCall } from "./upgrade.js";

/** Container runtimes speak SPDY and version 4 over WebSocket, but not this. */
export const translatedProtocol = "v5.channel.k8s.io";

export const needsTranslation = ({ request }: UpgradeCall): boolean =>
  requestedProtocols(request.headers).includes(translatedProtocol);

/**
 * Runs a command of a client that speaks WebSocket by a server that speaks SPDY (pkg/kubelet/server/server.go, getExec: a
 * StreamTranslatorHandler there). The client's handshake came first: whatever goes wrong is written on the error stream.
 */
export async function translateCommand(
  { stdin, stdout, stderr, resize, error, protocol, signal, close }: CommandStreams,
  connect: () => Promise<SpdyConnection>,
): Promise<void> {
  let connection: SpdyConnection | undefined;
  const fail = (message: string): string => resultText(failureStatus(message), protocol);
  try {
    const opened = (connection = await connect());
    signal.addEventListener("abort", () => opened.destroy(), { once: true });
    const result = await runSpdyCommand(opened, { stdin, stdout, stderr, resize });
    stdout?.end();
    stderr?.end();
    error.end(result || fail("the container runtime closed the connection"), close);
  } catch (failure) {
    error.end(fail(`error sending request: ${(failure as Error).message}`), close);
  } finally {
    connection?.destroy();
  }
}

/** A command's connection to the runtime's server. @throws UpgradeRefused */
export async function connectCommand(
  url: URL,
  socket: Parameters<typeof connectSpdy>[0]["socket"],
): Promise<SpdyConnection> {
  const protocols = ["v4.channel.k8s.io", "v3.channel.k8s.io", "v2.channel.k8s.io", "channel.k8s.io"];
  const { connection } = await connectSpdy({
    url,
    ...(socket && { socket }),
    method: "POST",
    headers: { "X-Stream-Protocol-Version": protocols, "Content-Length": 0 },
  });
  return connection;
}
