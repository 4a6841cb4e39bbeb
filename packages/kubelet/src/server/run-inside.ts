import type { StreamsInside, TerminalSize } from "../runtime/container-runtime.js";
import { acceptCommand, type CommandDeps, type CommandStreams } from "./accept-command.js";
import { commandStatus, failureStatus, resultText } from "./command-status.js";
import { drained } from "./drained.js";
import { type FoundPod, findRunningRun } from "./find-run.js";
import type { KubeletCall } from "./serve-page.js";
import { readStreamOptions } from "./stream-options.js";
import type { UpgradeCall } from "./upgrade.js";

/** Commands and attachments that end in this process. @throws KubeletRefusal before the protocols change */
export function runInside(
  streaming: StreamsInside,
  { found, call, upgrade, deps }: { found: FoundPod; call: KubeletCall; upgrade: UpgradeCall; deps: CommandDeps },
): void {
  const id = findRunningRun(found, call.container);
  const options = readStreamOptions(call.url.searchParams);
  const command = call.verb === "attach" ? undefined : call.url.searchParams.getAll("command");
  acceptCommand(deps, upgrade, options, (streams) => void runStreams(streaming, id, command, streams));
}

/** Runs a command with the streams of a client, and writes its result. @param command undefined: attach */
export async function runStreams(
  streaming: StreamsInside,
  id: string,
  command: readonly string[] | undefined,
  { stdin, stdout, stderr, resize, error, protocol, tty, signal, close }: CommandStreams,
): Promise<void> {
  const streams = {
    ...(stdin && { stdin: stdin as AsyncIterable<Buffer> }),
    stdout: (chunk: Uint8Array) => void stdout?.write(chunk),
    stderr: (chunk: Uint8Array) => void (tty ? stdout : stderr)?.write(chunk),
    drained: () => (stdout && drained(stdout)) ?? (stderr && drained(stderr)),
    tty,
    onResize: (listener: (size: TerminalSize) => void) =>
      void resize?.on("data", (chunk: Buffer) => {
        const size = readSize(chunk);
        if (size) listener(size);
      }),
  };
  // Sizes that nobody asks for would hold up the rest.
  resize?.resume();
  const ended = command
    ? streaming.exec(id, command, streams, signal).then(({ exitCode }) => commandStatus(exitCode))
    : streaming.attach(id, streams, signal).then(() => commandStatus(0));
  const what = command ? "error executing command in container" : "error attaching to container";
  const status = await ended.catch(({ message }: Error) => failureStatus(`${what}: ${message}`));
  stdout?.end();
  stderr?.end();
  error.end(resultText(status, protocol), close);
}

/** As clients send it: `{"Width":80,"Height":24}`, one in a frame. Undefined: something else, or more than that. */
function readSize(chunk: Buffer): TerminalSize | undefined {
  try {
    const { Width: columns, Height: rows } = JSON.parse(chunk.toString("utf8")) as {
      Width?: unknown;
      Height?: unknown;
    };
    const isSize = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 0;
    return isSize(columns) && isSize(rows) ? { columns, rows } : undefined;
  } catch {
    return undefined;
  }
}
