import { testRuntime } from "@coxswain/runtime";
import { createVirtualClock, type VirtualClock } from "@coxswain/runtime/clock";
import { createProcessorShare } from "../processor-share.js";
import { type Cgroup, createCgroup, createMachine } from "./cgroup.js";
import { createFileSystem, type FileSystem } from "./file-system.js";
import { createDisk, createFileTree } from "./file-tree.js";
import { type ContainerNetwork, noNetwork } from "./network.js";
import { runProcess } from "./run-process.js";
import { bytesOf, fail, textOf } from "./shell-process.js";
import { inputOf, type Output } from "./streams.js";

/** A script that runs in a container of its own. */
export interface RunningShell {
  readonly ended: Promise<number>;
  readonly clock: VirtualClock;
  readonly cgroup: Cgroup;
  readonly files: FileSystem;
  /** What it has written; the beginning where that is much. */
  out(): string;
  err(): string;
  /** Bytes that it has written. */
  readonly written: { bytes: number };
  /** Resolves at the start of each round in which programs go on. */
  readonly rounds: { count: number };
  kill(): void;
}

const keptCharacters = 100_000;

export function runShell(
  script: string,
  options: { env?: Record<string, string>; stdout?: Output; network?: ContainerNetwork } = {},
): RunningShell {
  const clock = createVirtualClock({ startMs: 0 });
  let [out, err] = ["", ""];
  const written = { bytes: 0 };
  const rounds = { count: 0 };
  const processor = createProcessorShare(async () => {
    rounds.count++;
    await new Promise((resolve) => setImmediate(resolve));
  });
  const cgroup = createCgroup(createMachine(processor));
  const files = createFileSystem([], createFileTree(createDisk()));
  files.write("/etc/motd", bytesOf("hello\nworld\n"));
  const keep = (text: string, chunk: Uint8Array): string => {
    written.bytes += chunk.length;
    return text.length < keptCharacters ? text + textOf(chunk) : text;
  };
  const killing = new AbortController();
  const ended = runProcess(["sh", "-c", script, "sh", "one", "two words"], {
    environment: Object.entries(options.env ?? {}),
    session: cgroup.startSession(killing.signal),
    directory: "/",
    around: {
      files,
      runtime: testRuntime(1, { clock }),
      hostname: "web-0",
      container: {
        userId: 0,
        groupId: 0,
        command: script,
        terminate: () => killing.abort(),
        network: options.network ?? noNetwork,
      },
      stdin: inputOf(bytesOf("from stdin\n")),
      stdout: options.stdout ?? { write: (chunk) => void (out = keep(out, chunk)), drained: () => undefined },
      stderr: { write: (chunk) => void (err = keep(err, chunk)), drained: () => undefined },
      traps: new Map(),
      unknown: async ([name = ""], process, failure = { code: 127, text: `sh: ${name}: not found` }) =>
        fail(process, failure.text, failure.code),
    },
  });
  ended.catch(() => {}); // killed
  return { ended, clock, cgroup, files, out: () => out, err: () => err, written, rounds, kill: () => killing.abort() };
}
