import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { containerdSocket, onMachine, siteCgroup } from "@coxswain/machines";
import type { Clock } from "@coxswain/runtime/clock";
import type { NodeMachine } from "../up/machines/start-real-nodes.js";
import { unzipped } from "./read-archive.js";
import type { Archive } from "./spool-archive.js";

export interface ImportOptions {
  /** Of the cluster. */
  readonly folder: string;
  readonly machines: readonly NodeMachine[];
  readonly archive: Archive;
}

/** Milliseconds that a runtime has for one archive: it unpacks all layers. */
const timeoutMs = 30 * 60_000;
/** Machines that unpack at once: they share one disk. */
const atOnce = 4;

/** Gives the archive to the container runtime of each machine. @throws Error with what the runtime had against it */
export async function importArchive(clock: Clock, { folder, machines, archive }: ImportOptions): Promise<void> {
  const rest = machines.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const { name, holder } of rest) {
        await checkHolder(folder, { name, holder });
        const command = onMachine(holder, importCommand);
        await run(clock, command, archive).catch((error: unknown) => {
          throw new Error(`node ${name}: ${(error as Error).message}`, { cause: error });
        });
      }
    }),
  );
}

/** Kubelets see images of the namespace k8s.io. */
const importCommand = ["ctr", `--address=${containerdSocket}`, "--namespace=k8s.io", "images", "import", "-"];

/** Another process may have the number of one that has ended. */
async function checkHolder(folder: string, { name, holder }: NodeMachine): Promise<void> {
  const groups = await readFile(`/proc/${holder}/cgroup`, "utf8").catch(() => "");
  if (!groups.includes(`/${siteCgroup(folder)}/`)) throw new Error(`the machine of node ${name} does not run`);
}

async function run(clock: Clock, [program = "", ...args]: readonly string[], archive: Archive): Promise<void> {
  const child = spawn(program, args, { stdio: ["pipe", "ignore", "pipe"] });
  const timer = clock.setTimer(timeoutMs, () => child.kill("SIGKILL"));
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors = `${errors}${chunk.toString()}`.slice(-2000)));
  // It may close the pipe before the end; its exit code and errors are reported below.
  const fed = pipeline(unzipped(archive.read()), child.stdin).catch(() => {});
  const [code] = (await once(child, "close")) as [number | null];
  timer.cancel();
  await fed;
  if (code !== 0) throw new Error(errors.trim() || `ctr ended with ${code}`);
}
