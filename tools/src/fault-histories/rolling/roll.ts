import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { ownLauncher } from "../../clients/index.js";
import { startProcess } from "../../upstream/index.js";
import { checkHistory } from "../check/check-history.js";
import { ApiConnection } from "../clients/api-connection.js";
import type { ControlPlane } from "../control-plane/control-plane.js";
import { clientAddress } from "../control-plane/machines.js";
import { ports } from "../control-plane/ports.js";
import type { History } from "../history/operation.js";

/** How an API server ends: by SIGTERM, or by SIGKILL. */
export type Ending = "stop" | "kill";

export interface RollResult {
  readonly history: History;
  /** Writes and reads of which our client did not know what became of them, and which its caller sent again. */
  readonly sentAgain: number;
  readonly problems: readonly string[];
}

interface ClientReport {
  readonly history: History;
  readonly sentAgain: number;
  readonly givenUp: number;
  readonly restarts: readonly string[];
  readonly behind: readonly string[];
}

const script = fileURLToPath(new URL("../../../fault-histories/own-client.mjs", import.meta.url));
const balancedUrl = `https://${clientAddress}:${ports.server}`;
/** Of traffic before the first replacement, between two, and after the last. */
const quietMs = 1500;
const readyMs = 60_000;

/** Every API server replaced by another build, one after the other, under clients of ours behind `coxswain balance`. */
export async function roll(
  plane: ControlPlane,
  { ending, launcher, release, folder }: { ending: Ending; launcher: string; release: string; folder: string },
): Promise<RollResult> {
  const namespace = `rolling-${ending}`;
  await createNamespace(plane, namespace);
  const balancer = startBalancer(plane, folder);
  try {
    await untilServing(plane, balancedUrl);
    const [first] = plane.machines;
    const began = await first!.etcd.mark();
    const client = await startClient(plane, namespace);
    await sleep(quietMs);
    for (const machine of plane.machines) {
      await (ending === "stop" ? machine.server.stop() : machine.server.kill());
      machine.useBuild(launcher);
      await untilServing(plane, machine.url, release);
      await sleep(quietMs);
    }
    const { history, sentAgain, givenUp, restarts, behind } = await client.finish();
    const commits = await first!.etcd.readLog(`/registry/configmaps/${namespace}/`, began, await first!.etcd.mark());
    const problems = [
      ...(givenUp > 0 ? [`${givenUp} requests failed, although they were sent again`] : []),
      ...(ending === "stop" && sentAgain > 0 ? [`${sentAgain} requests had to be sent again by their caller`] : []),
      ...behind.map((watcher) => `${watcher} did not come to the end: ${restarts.slice(-3).join("; ")}`),
      ...checkHistory(history, commits),
    ];
    return { history, sentAgain, problems };
  } finally {
    await balancer.stop();
  }
}

async function createNamespace({ machines, credentials }: ControlPlane, name: string): Promise<void> {
  const connection = new ApiConnection(`${machines[0]!.url}/api/v1/namespaces`, credentials, readyMs);
  const { code } = await connection.call({ method: "POST", path: "", body: { metadata: { name } } });
  connection.close();
  if (code !== 201) throw new Error(`the namespace could not be made: ${code}`);
}

function startBalancer({ machines }: ControlPlane, folder: string) {
  const servers = machines.map(({ address }) => `${address}:${ports.server}`).join(",");
  const args = [ownLauncher, "balance", "--listen", `${clientAddress}:${ports.server}`, "--servers", servers];
  return startProcess({ name: "balance", command: process.execPath, args, logFile: join(folder, "balance.log") });
}

async function startClient({ kubeconfig }: ControlPlane, namespace: string) {
  const args = [script, kubeconfig, balancedUrl, namespace];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  let output = "";
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      output += String(chunk);
      resolve();
    });
    void ended.then((code) => reject(new Error(`the client ended with ${code}`)));
  });
  return {
    async finish(): Promise<ClientReport> {
      child.stdin.end();
      const code = await ended;
      if (code !== 0) throw new Error(`the client ended with ${code}`);
      return JSON.parse(output.trim().split("\n").at(-1) ?? "") as ClientReport;
    },
  };
}

/** @param release any, unless it is named @throws Error where another release serves there, or none in time */
export async function untilServing({ credentials }: ControlPlane, url: string, release?: string): Promise<void> {
  const deadline = performance.now() + readyMs;
  while (performance.now() < deadline) {
    const connection = new ApiConnection(url, credentials, 2000);
    const ask = async (path: string) => connection.call({ method: "GET", path });
    try {
      const { body } = await ask("/version");
      const isReady = (await ask("/readyz")).code === 200;
      if (isReady && (release ?? body.gitVersion) === body.gitVersion) return;
      if (isReady) throw new Error(`${url} is ${body.gitVersion}, not ${release}`);
    } catch (error) {
      if ((error as Error).message.includes(", not ")) throw error;
      // not there yet
    } finally {
      connection.close();
    }
    await sleep(100);
  }
  throw new Error(`${url} does not serve after ${readyMs} ms`);
}
