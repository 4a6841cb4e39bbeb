import type { Readable, Writable } from "node:stream";
import { ByteCollector } from "../bytes/index.js";
import type { SpdyConnection } from "./connection.js";
import type { SpdyStream } from "./stream.js";

/** The streams of a command at its client's side; those that are left out are not opened. */
export interface CommandStreams {
  readonly stdin?: Readable | undefined;
  readonly stdout?: Writable | undefined;
  readonly stderr?: Writable | undefined;
  /** Sizes of the terminal, as JSON. */
  readonly resize?: Readable | undefined;
}

/**
 * Runs a command by a server that has its streams over SPDY, as a StreamTranslatorHandler does for clients with WebSockets
 * (k8s.io/apiserver/pkg/util/proxy/streamtranslator.go, ServeHTTP). Outputs are not ended.
 * @returns what the server wrote on the error stream, when all outputs are at their end
 */
export async function runSpdyCommand(
  connection: SpdyConnection,
  { stdin, stdout, stderr, resize }: CommandStreams,
): Promise<string> {
  const open = (type: string): Promise<SpdyStream> => connection.createStream(new Map([["streamtype", [type]]]));
  const result = await open("error");
  const input = stdin && (await open("stdin"));
  const output = stdout && (await open("stdout"));
  const errors = stderr && (await open("stderr"));
  const sizes = resize && (await open("resize"));
  // Only now: input that nobody reads yet would hold up the opening of the others.
  if (stdin && input) carryInput(stdin, input);
  if (resize && sizes) carryInput(resize, sizes);
  const outputs = [
    ...(output && stdout ? [carryOutput(output, stdout)] : []),
    ...(errors && stderr ? [carryOutput(errors, stderr)] : []),
  ];
  const text = readResult(result);
  await Promise.all(outputs);
  return text;
}

/** The end of the client's input is the end of the command's. */
function carryInput(from: Readable, to: SpdyStream): void {
  to.on("error", () => undefined); // the command is over; its result is reported elsewhere
  to.resume(); // nothing comes back on it but its end
  from.pipe(to);
}

function carryOutput(from: SpdyStream, to: Writable): Promise<void> {
  from.pipe(to, { end: false });
  return new Promise((resolve) => {
    from.once("end", resolve);
    from.once("close", () => resolve());
    from.on("error", () => resolve());
  });
}

/** Of a result: more is not kept. */
const maxResultBytes = 1 << 20;

async function readResult(stream: SpdyStream): Promise<string> {
  const kept = new ByteCollector();
  try {
    for await (const part of stream as AsyncIterable<Buffer>) kept.add(part.subarray(0, maxResultBytes - kept.length));
  } catch {
    // The server took the stream back: what it sent before counts.
  }
  return kept.take().toString();
}
