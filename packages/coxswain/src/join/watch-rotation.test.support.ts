import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Node, Pod } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { type ConnectedClient, connect, loadKubeconfig } from "@coxswain/client/node";
import { podLogLines } from "@coxswain/client/pods";
import { waitFor } from "@coxswain/client/wait";
import { ownLauncher, runProgram } from "@coxswain/tools/clients";
import { busyboxRef } from "@coxswain/tools/images";
import { type OtherMachine, startOtherMachine, writeSmallImages } from "@coxswain/tools/nodes";
import { readCertificates } from "@coxswain/wire/x509";

export interface RotationOptions {
  readonly minutes: number;
  /** Of certificates: "5m". */
  readonly duration: string;
  print(line: string): void;
}

const timeoutMs = 120_000;
const nodeName = "joined";
/** Requests of each kind are made side by side. */
const sideBySide = 2;

/** Answers what was wrong, as sentences. Only in namespaces of this process' own. */
export async function watchRotation({ minutes, duration, print }: RotationOptions): Promise<string[]> {
  const home = await mkdtemp(join(tmpdir(), "node-certificates-"));
  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runProgram(process.execPath, [ownLauncher, ...args], {
      env: { ...process.env, COXSWAIN_HOME: home },
    });
    if (code !== 0) throw new Error(`coxswain ${args.join(" ")}: ${stdout}${stderr}`);
    return stdout;
  };
  const machine = await startOtherMachine({ name: nodeName, network: "192.0.2", folder: home });
  let client: ConnectedClient | undefined;
  let stopNode = async (): Promise<unknown> => undefined;
  try {
    await run(
      "up",
      "--runtime=containerd",
      "--nodes=1",
      "--bind-address=0.0.0.0",
      "--detach",
      "--console=false",
      `--cluster-signing-duration=${duration}`,
      `--kubelet-certificate-authority=${join(home, "default/pki/ca.crt")}`,
    );
    client = connect(loadKubeconfig({ path: join(home, "default/kubeconfig") }));
    await writeSmallImages(home);
    stopNode = await joinBy((await run("token", "create")).trim().split(" ").slice(1), { machine, home });
    await waitFor<Node>(client.core.v1.nodes(), nodeName, isReady, { timeoutMs });
    return await observe(client, { home, minutes, print });
  } finally {
    await client?.close();
    await stopNode();
    await run("reset", "--yes").catch((error: unknown) => print(String(error)));
    await rm(home, { recursive: true, force: true });
  }
}

interface Observed {
  readonly home: string;
  readonly minutes: number;
  print(line: string): void;
}

async function observe(client: ConnectedClient, { home, minutes, print }: Observed): Promise<string[]> {
  const pods = client.core.v1.pods("default");
  const container = { name: "c", image: busyboxRef, command: ["sh", "-c", "echo hello; exec sleep 100000"] };
  const spec = { nodeName, terminationGracePeriodSeconds: 0, containers: [container] };
  await pods.create({ metadata: { name: "talker" }, spec });
  await waitFor<Pod>(pods, "talker", isReady, { timeoutMs });
  const files = ["coxswain/pki/kubelet-client-current.pem", "kubelet/pki/kubelet-server-current.pem"];
  const seen = files.map(() => new Set<string>());
  const problems: string[] = [];
  let asked = 0;
  const until = Date.now() + minutes * 60_000;
  const repeat = async (what: string, once: (round: number) => Promise<void>, pauseMs: number): Promise<void> => {
    for (let round = 0; Date.now() < until; round++) {
      try {
        await once(round);
        asked++;
      } catch (error) {
        problems.push(`${new Date().toISOString()} ${what}: ${(error as Error).message}`);
      }
      await delay(pauseMs);
    }
  };
  const readLogs = async (): Promise<void> => {
    const lines: string[] = [];
    for await (const line of podLogLines(client, { namespace: "default", pod: "talker" })) lines.push(line);
    if (lines.join() !== "hello") throw new Error(`the log is ${JSON.stringify(lines)}`);
  };
  const runPod =
    (writer: number) =>
    async (round: number): Promise<void> => {
      const name = `short-${writer}-${round}`;
      await pods.create({ metadata: { name }, spec });
      await waitFor<Pod>(pods, name, isReady, { timeoutMs });
      await pods.delete(name);
    };
  const look = async (): Promise<void> => {
    for (const [at, file] of files.entries()) {
      const [leaf] = readCertificates(await readFile(join(home, nodeName, "var-lib", file), "utf8"));
      seen[at]?.add(Buffer.from(leaf?.der ?? []).toString("base64"));
    }
    if (!isReady(await client.core.v1.nodes().get(nodeName))) throw new Error("it is not ready");
  };
  const numbers = Array.from({ length: sideBySide }, (_, at) => at);
  await Promise.all([
    ...numbers.map(() => repeat("logs", readLogs, 200)),
    ...numbers.map((writer) => repeat("a pod", runPod(writer), 1000)),
    repeat("the node", look, 500),
  ]);
  const counts = seen.map(({ size }) => size);
  print(`${asked} requests and pods; certificates of the client: ${counts[0]}, of the server: ${counts[1]}`);
  return [...problems, ...(counts.some((count) => count < 2) ? ["a certificate was not replaced"] : [])];
}

/** By the printed command; the unit that it prints is run, in control groups of the machine's own. Answers how to end it. */
async function joinBy(
  joining: readonly string[],
  { machine, home }: { readonly machine: OtherMachine; readonly home: string },
): Promise<() => Promise<unknown>> {
  await machine.run(["ctr", "--namespace=k8s.io", "images", "import", join(home, "images.tar")]);
  const unit = await machine.run([process.execPath, ownLauncher, ...joining, "--print-unit"]);
  const command = /^ExecStart=(.*)$/m.exec(unit)?.[1]?.split(" ") ?? [];
  const file = join(home, machine.name, "var-lib/coxswain/kubelet.json");
  const config = JSON.parse(await readFile(file, "utf8")) as object;
  await writeFile(file, JSON.stringify({ ...config, cgroupRoot: machine.cgroupRoot }));
  const node = machine.start("node", command);
  return () => node.stop();
}

const isReady = (object: DeepReadonly<Pod> | DeepReadonly<Node> | undefined): boolean =>
  (object?.status?.conditions ?? []).some(({ type, status }) => type === "Ready" && status === "True");
