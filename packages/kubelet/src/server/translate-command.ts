import type { Readable, Writable } from "node:stream";
import { ByteCollector } from "@coxswain/wire/bytes";
import { connectSpdy, type SpdyConnection, type SpdyStream } from "@coxswain/wire/spdy";
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
  try {
    connection = await connect();
    const opened = connection;
    signal.addEventListener("abort", () => opened.destroy(), { once: true });
    const open = (type: string): Promise<SpdyStream> => opened.createStream(new Map([["streamtype", [type]]]));
    const result = await open("error");
    const input = stdin && (await open("stdin"));
    const output = stdout && (await open("stdout"));
    const errors = stderr && (await open("stderr"));
    const sizes = resize && (await open("resize"));
    // Only now: input that nobody reads yet would hold up the opening of the others.
    if (stdin && input) carryInput(stdin, input);
    if (resize && sizes) carryInput(resize, sizes);
    const text = readResult(result);
    await Promise.all([
      ...(output && stdout ? [carryOutput(output, stdout)] : []),
      ...(errors && stderr ? [carryOutput(errors, stderr)] : []),
    ]);
    error.end(
      (await text) || resultText(failureStatus("the container runtime closed the connection"), protocol),
      close,
    );
  } catch (failure) {
    const { message } = failure as Error;
    error.end(resultText(failureStatus(`error sending request: ${message}`), protocol), close);
  } finally {
    connection?.destroy();
  }
}

/** The end of the client's input is the end of the command's. */
function carryInput(from: Readable, to: SpdyStream): void {
  to.on("error", () => undefined); // the command is over; its result is reported elsewhere
  to.resume(); // nothing comes back on it but its end
  from.pipe(to);
}

function carryOutput(from: SpdyStream, to: Writable): Promise<void> {
  from.pipe(to);
  return new Promise((resolve) => {
    from.once("end", resolve);
    from.once("close", () => resolve());
    from.on("error", () => resolve());
  });
}

/** Of a result: more is not kept. */
const maxResultBytes = 1024 * 1024;

async function readResult(stream: SpdyStream): Promise<string> {
  const kept = new ByteCollector();
  try {
    for await (const part of stream as AsyncIterable<Buffer>) kept.add(part.subarray(0, maxResultBytes - kept.length));
  } catch {
    // The runtime took the stream back: what it sent before counts.
  }
  return kept.take().toString();
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
