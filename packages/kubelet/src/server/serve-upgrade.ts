import type { Duplex } from "node:stream";
import { drained } from "./drained.js";
import { findRunningRun } from "./find-run.js";
import { insideStreams } from "./inside-streams.js";
import { KubeletRefusal } from "./kubelet-source.js";
import { forwardPorts } from "./port-forward.js";
import { acceptCommand, type CommandDeps, commandStatus, failureStatus, resultText } from "./remote-command.js";
import { type KubeletCall, podOf } from "./serve-page.js";

/** Commands and port-forwarding. @throws KubeletRefusal before the protocols change */
export function serveUpgrade(
  call: KubeletCall,
  { socket, head }: { readonly socket: Duplex; readonly head: Buffer },
  deps: CommandDeps,
): void {
  const { request, url, verb, container } = call;
  const found = podOf(call);
  if (verb === "portForward") return forwardPorts(found, { request, socket, head });
  if (verb !== "exec" && verb !== "attach") throw new KubeletRefusal(404, "404 page not found\n");
  const id = findRunningRun(found, container);
  const streaming = insideStreams(found.agent);
  acceptCommand(deps, { request, socket, head }, ({ stdin, stdout, stderr, error, protocol, tty, signal, close }) => {
    const streams = {
      ...(stdin && { stdin: stdin as AsyncIterable<Buffer> }),
      stdout: (chunk: Uint8Array) => void stdout?.write(chunk),
      stderr: (chunk: Uint8Array) => void (tty ? stdout : stderr)?.write(chunk),
      drained: () => (stdout && drained(stdout)) ?? (stderr && drained(stderr)),
      tty,
    };
    const ended =
      verb === "attach"
        ? streaming.attach(id, streams, signal).then(() => commandStatus(0))
        : streaming
            .exec(id, url.searchParams.getAll("command"), streams, signal)
            .then(({ exitCode }) => commandStatus(exitCode));
    void ended
      .catch(({ message }: Error) =>
        failureStatus(
          verb === "attach"
            ? `error attaching to container: ${message}`
            : `error executing command in container: ${message}`,
        ),
      )
      .then((status) => {
        stdout?.end();
        stderr?.end();
        error.end(resultText(status, protocol), close);
      });
  });
}
