import type { StreamsInside } from "../runtime/container-runtime.js";
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
  resize?.resume(); // no terminal of this process has a size
  const streams = {
    ...(stdin && { stdin: stdin as AsyncIterable<Buffer> }),
    stdout: (chunk: Uint8Array) => void stdout?.write(chunk),
    stderr: (chunk: Uint8Array) => void (tty ? stdout : stderr)?.write(chunk),
    drained: () => (stdout && drained(stdout)) ?? (stderr && drained(stderr)),
    tty,
  };
  const ended = command
    ? streaming.exec(id, command, streams, signal).then(({ exitCode }) => commandStatus(exitCode))
    : streaming.attach(id, streams, signal).then(() => commandStatus(0));
  const what = command ? "error executing command in container" : "error attaching to container";
  const status = await ended.catch(({ message }: Error) => failureStatus(`${what}: ${message}`));
  stdout?.end();
  stderr?.end();
  error.end(resultText(status, protocol), close);
}
