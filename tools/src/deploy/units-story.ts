import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Image } from "./build-image.js";
import { Machine } from "./machine.js";
import { askWithKubectl, type Story } from "./story.js";

/** Where the units expect the command. */
const program = "usr/local/bin/coxswain";
/** Where the reader's clone is. */
const clone = "/root/coxswain";

/** A machine with systemd, and what is typed there. */
interface Reader {
  readonly machine: Machine;
  readonly print: (line: string) => void;
  /** In the clone, as root. @throws Error where a command fails */
  shell(script: string): Promise<string>;
  /** As an administrator, through the balancer. */
  kubectl(line: string): Promise<string>;
}

/**
 * The units of deploy/systemd on a machine with systemd, by the commands of docs/production.md: checked, started, killed, a backup made.
 * The machine has the command as the image has it.
 */
export async function runUnits(story: Story, { root }: Image): Promise<void> {
  const { workspace, print } = story;
  const page = readFileSync(join(workspace, "docs/production.md"), "utf8");
  const commands = /```sh\n(useradd .*?)```/s.exec(page)?.[1];
  if (commands === undefined) throw new Error("no block of docs/production.md begins with useradd");
  symlinkSync("/opt/coxswain/bin/coxswain", join(root, program));
  const mounts = { [`${clone}/deploy`]: join(workspace, "deploy") };
  const machine = await Machine.start({ root, init: "systemd", mounts });
  const kubeconfig = join(root, "etc/coxswain/admin.kubeconfig");
  const reader: Reader = {
    machine,
    print,
    shell: (script) => machine.do(["bash", "-ec", script], { folder: clone }),
    kubectl: (line) => askWithKubectl(story, machine, { kubeconfig, line }),
  };
  try {
    const isUp = async () => /running|degraded/.test((await machine.run(["systemctl", "is-system-running"])).stdout);
    await until("systemd is up", isUp);
    await reader.shell(commands);
    print("the commands of docs/production.md were typed");
    const services = await findServices(reader);
    await work(reader, "before");
    print("controllers and scheduler work, through the balancer");
    for (const unit of services) await killOne(reader, unit);
    await work(reader, "after");
    print("each was killed, was started again by systemd, and works");
    await backUp(reader);
    await endInOrder(reader, services);
  } catch (error) {
    const { stdout } = await machine.run(["journalctl", "--no-pager", "--lines=60", "--output=cat"]);
    throw new Error(`${(error as Error).message}\n${stdout}`, { cause: error });
  } finally {
    await machine.stop();
  }
}

const isActive = async ({ machine }: Reader, unit: string): Promise<boolean> =>
  (await machine.run(["systemctl", "is-active", unit])).stdout.trim() === "active";

/** Those that run all the time, once systemd finds nothing wrong with any unit and all are active. */
async function findServices(reader: Reader): Promise<string[]> {
  const { shell, print } = reader;
  const units = (await shell("cd /etc/systemd/system; ls coxswain-*")).trim().split("\n");
  const verify = `cd /etc/systemd/system; systemd-analyze verify ${units.join(" ")} 2>&1 | grep coxswain || true`;
  const problems = await shell(verify);
  if (problems !== "") throw new Error(`systemd-analyze: ${problems}`);
  const services = units.filter((unit) => unit.endsWith(".service") && unit !== "coxswain-backup.service");
  for (const unit of services) {
    await until(`${unit} is active`, () => isActive(reader, unit));
    print(`${unit} is active`);
  }
  return services;
}

/** A namespace must get its service account, and a pod must be refused by the scheduler: both need components that work. */
async function work({ kubectl }: Reader, namespace: string): Promise<void> {
  await until("the API server answers", async () => (await kubectl("get --raw /readyz")) === "ok");
  await kubectl(`create namespace ${namespace}`);
  await kubectl(`wait --for=create serviceaccount/default --namespace ${namespace} --timeout=60s`);
  await kubectl(`run pod --image=a --namespace ${namespace}`);
  await kubectl(`wait --for=condition=PodScheduled=false pod/pod --namespace ${namespace} --timeout=60s`);
}

async function killOne(reader: Reader, unit: string): Promise<void> {
  const mainPid = (): Promise<string> => reader.shell(`systemctl show --property MainPID --value ${unit}`);
  const before = await mainPid();
  await reader.shell(`kill -9 ${before}`);
  await until(`${unit} is started again`, async () => {
    const after = await mainPid();
    return after !== before && after.trim() !== "0" && (await isActive(reader, unit));
  });
}

async function backUp({ shell, print }: Reader): Promise<void> {
  await shell("systemctl start coxswain-backup.service");
  const backup = (await shell("ls /var/backups/coxswain")).trim();
  if (!/^\S+\.backup$/.test(backup)) throw new Error(`no backup: ${backup}`);
  const timers = await shell("systemctl list-timers --no-pager");
  if (!timers.includes("coxswain-backup.timer")) throw new Error("no timer makes the next backup");
  print(`a backup: ${backup}; the next by the timer`);
}

async function endInOrder({ shell, print }: Reader, services: readonly string[]): Promise<void> {
  await shell(`systemctl stop ${services.join(" ")}`);
  const results = await shell(`systemctl show --property Result --value ${services.join(" ")}`);
  const isEachOne = results
    .trim()
    .split(/\s+/)
    .every((result) => result === "success");
  if (!isEachOne) throw new Error(`not ended in order: ${results}`);
  print("all ended in order");
}

/** Two minutes at most. @throws Error */
async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  let last: unknown;
  for (let tries = 0; tries < 240; tries++) {
    if (await holds().catch((error: unknown) => ((last = error), false))) return;
    await sleep(500);
  }
  throw new Error(`not after two minutes: ${what}`, { cause: last });
}
