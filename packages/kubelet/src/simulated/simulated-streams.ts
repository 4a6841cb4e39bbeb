import type { Clock } from "@coxswain/runtime/clock";
import { nameOf } from "../objects/cached-pod.js";
import { type ExecOutput, ExecTimeoutError, RuntimeError, type StreamsInside } from "../runtime/container-runtime.js";
import { answerPort } from "./http-echo.js";
import { refreshMounts, type SimulatedContainer } from "./simulated-pod.js";
import type { SimulatedPods } from "./simulated-pods.js";

/** What a command without streams may write; the rest is passed over. containerd's limit. */
const maxOutputBytes = 16 * 1024 * 1024;

/** Commands, attachments and ports of simulated containers: they end in this process. */
export function createSimulatedStreams(pods: SimulatedPods): StreamsInside {
  return {
    kind: "inside",
    async exec(id, command, streams, signal) {
      const container = runningContainer(pods, id);
      await pods.complete(container);
      await refreshMounts(container);
      try {
        return { exitCode: await pods.shellOf(container).exec(command, streams, signal) };
      } catch (error) {
        if (signal.aborted) return { exitCode: 137 };
        throw error;
      }
    },
    async attach(id, streams, signal) {
      const container = pods.find(id);
      const unsubscribe = pods.logOf(container).subscribe(streams);
      await new Promise<void>((resolve) => {
        if (container.record.state !== "running") resolve();
        container.exited.push(resolve);
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
      unsubscribe();
    },
    async openPort(uid, port, streams) {
      const home = pods.ofPod(uid);
      const isListening = home && [...home.containers.values()].some(([run]) => run?.record.state === "running");
      if (!isListening) throw new RuntimeError(`dial tcp4 127.0.0.1:${port}: connect: connection refused`);
      await answerPort(streams, { pod: nameOf(home.pod), port });
    },
  };
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
}

/** Runs a command to its end and keeps what it writes. @throws ExecTimeoutError */
export async function execToEnd(
  { exec }: StreamsInside,
  { id, command, timeoutMs, signal }: ExecSyncCall,
  clock: Clock,
): Promise<ExecOutput> {
  const limit = new AbortController();
  const timer = timeoutMs > 0 ? clock.setTimer(timeoutMs, () => limit.abort()) : undefined;
  const [stdout, stderr] = [keepChunks(), keepChunks()];
  const streams = { stdout: stdout.keep, stderr: stderr.keep, drained: () => undefined, tty: false };
  const ending = signal ? AbortSignal.any([signal, limit.signal]) : limit.signal;
  try {
    const { exitCode } = await exec(id, command, streams, ending);
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
