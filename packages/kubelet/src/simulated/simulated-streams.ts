import type { Clock } from "@coxswain/runtime/clock";
import {
  type ExecOutput,
  type ExecResult,
  ExecTimeoutError,
  RuntimeError,
  type StreamsInside,
} from "../runtime/container-runtime.js";
import { answererOf } from "./port-answer.js";
import type { PortTransport } from "./port-server.js";
import { refreshMounts, type SimulatedContainer } from "./simulated-pod.js";
import type { SimulatedPods } from "./simulated-pods.js";

/** What a command without streams may write; the rest is passed over. containerd's limit. */
const maxOutputBytes = 16 * 1024 * 1024;

/** Commands, attachments and ports of simulated containers: they end in this process. */
export function createSimulatedStreams(pods: SimulatedPods): StreamsInside {
  const answererAt = (uid: string, port: number, transport: PortTransport) => {
    const home = pods.ofPod(uid);
    return home && answererOf(home, { port, transport, factsOf: (container) => pods.factsOf(container) });
  };
  return {
    kind: "inside",
    exec: (id, command, streams, signal) =>
      runIn(pods, id, signal, (container) => pods.shellOf(container).exec(command, streams, signal)),
    async attach(id, streams, signal) {
      const container = pods.find(id);
      const { stdin, onResize } = streams;
      await pods.complete(container);
      // A client that goes away is no error of the container.
      if (stdin && container.record.state === "running")
        void pods
          .shellOf(container)
          .feed(stdin, onResize)
          .catch(() => {});
      const unsubscribe = pods.logOf(container).subscribe(streams);
      await new Promise<void>((resolve) => {
        if (container.record.state !== "running") resolve();
        container.exited.push(resolve);
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
      unsubscribe();
    },
    listens: (uid, port, transport = "tcp") => answererAt(uid, port, transport) !== undefined,
    async openPort(uid, port, streams, _signal, transport = "tcp") {
      const answer = answererAt(uid, port, transport);
      if (!answer) throw new RuntimeError(`dial tcp4 127.0.0.1:${port}: connect: connection refused`);
      await answer(streams);
    },
  };
}

/** What is run in a container sees its files as they are now; it is killed with the signal. */
async function runIn(
  pods: SimulatedPods,
  id: string,
  signal: AbortSignal,
  work: (container: SimulatedContainer) => Promise<number>,
): Promise<ExecResult> {
  const container = runningContainer(pods, id);
  await pods.complete(container);
  await refreshMounts(container);
  try {
    return { exitCode: await work(container) };
  } catch (error) {
    if (signal.aborted) return { exitCode: 137 };
    throw error;
  }
}

function runningContainer(pods: SimulatedPods, id: string): SimulatedContainer {
  const container = pods.find(id);
  if (container.record.state !== "running")
    throw new RuntimeError(`failed to exec in container: container is in ${container.record.state} state`);
  return container;
}

export interface ExecSyncCall {
  readonly id: string;
  readonly command: readonly string[];
  /** 0: no limit. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** What a program returns that nobody knows. */
  isHealthy(): boolean;
}

/** Runs a probe or a hook to its end and keeps what it writes. @throws ExecTimeoutError */
export async function checkToEnd(
  pods: SimulatedPods,
  { id, command, timeoutMs, signal, isHealthy }: ExecSyncCall,
  clock: Clock,
): Promise<ExecOutput> {
  const limit = new AbortController();
  const timer = timeoutMs > 0 ? clock.setTimer(timeoutMs, () => limit.abort()) : undefined;
  const [stdout, stderr] = [keepChunks(), keepChunks()];
  const streams = { stdout: stdout.keep, stderr: stderr.keep, drained: () => undefined, tty: false };
  const ending = signal ? AbortSignal.any([signal, limit.signal]) : limit.signal;
  try {
    const { exitCode } = await runIn(pods, id, ending, (container) =>
      pods.shellOf(container).check(command, streams, { signal: ending, isHealthy }),
    );
    signal?.throwIfAborted();
    if (limit.signal.aborted)
      throw new ExecTimeoutError(`command "${command.join(" ")}" timed out: timeout ${timeoutMs / 1000}s exceeded`);
    return { exitCode, stdout: stdout.bytes(), stderr: stderr.bytes() };
  } finally {
    timer?.cancel();
  }
}

function keepChunks(): { keep(chunk: Uint8Array): void; bytes(): Uint8Array } {
  const chunks: Uint8Array[] = [];
  let left = maxOutputBytes;
  return {
    keep(chunk) {
      if (left <= 0) return;
      chunks.push(chunk.slice(0, left));
      left -= chunk.length;
    },
    bytes: () => Buffer.concat(chunks),
  };
}
