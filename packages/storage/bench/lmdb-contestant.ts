import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Contestant, Measured } from "./contestant.js";

interface Hello {
  readonly openedMs: number;
  readonly heapBytes: number;
  readonly rssBytes: number;
}

export async function startLmdb(directory: string): Promise<Contestant & { heapBytes(): number }> {
  let child!: ChildProcess;
  let hello!: Hello;
  const start = async (): Promise<void> => {
    child = fork(fileURLToPath(new URL("lmdb-process.js", import.meta.url)), [directory], {
      execArgv: ["--expose-gc"],
    });
    [hello] = (await once(child, "message")) as [Hello];
  };
  const ask = async <T>(message: object): Promise<T> => {
    child.send(message);
    const [{ result, error }] = (await once(child, "message")) as [{ result: T; error?: string }];
    if (error !== undefined) throw new Error(error);
    return result;
  };
  const stop = async (): Promise<void> => {
    const ended = once(child, "exit");
    child.send({ do: "close" });
    await ended;
  };
  await start();
  return {
    name: "lmdb",
    run: (work) => ask<Measured | undefined>(work),
    async reopen() {
      await stop();
      await start();
      return hello.openedMs;
    },
    heapBytes: () => hello.heapBytes,
    compactedBytes: () => ask<number>({ do: "compact" }),
    stop,
  };
}
