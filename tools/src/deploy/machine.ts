import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmdirSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ProgramResult, runProgram } from "../clients/run-program.js";

export interface MachineOptions {
  /** Its root file system. */
  readonly root: string;
  /** Folders of this machine that are seen there, read-only: by the path there. */
  readonly mounts?: Readonly<Record<string, string>>;
  /** Its first process: a shell that reaps, or systemd. */
  readonly init: "shell" | "systemd";
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
  /** A number, for user and group. @default 0 */
  readonly user?: number;
  /** This machine's network in place of its own, from which nothing leaves. @default false */
  readonly isOnline?: boolean;
}

const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * Mounts and processes of their own, a network without a route, and then the first process: $1 root, $2 the first process, $3 mounts.
 * /sys/fs/cgroup is the part of this machine's that the process is in.
 */
const setUp = `set -e
mount --bind "$1" "$1"
cd "$1"
for each in $3; do
  mkdir -p "./\${each#*=}"
  mount --bind "\${each%%=*}" "./\${each#*=}"
  mount -o remount,bind,ro "./\${each#*=}"
done
mkdir -p proc sys run dev tmp
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t tmpfs tmpfs run
mount -t tmpfs tmpfs dev
for each in null zero full random urandom tty; do : > dev/$each; mount --bind /dev/$each dev/$each; done
ln -s /proc/self/fd dev/fd; ln -s fd/0 dev/stdin; ln -s fd/1 dev/stdout; ln -s fd/2 dev/stderr
: > dev/console
mkdir dev/shm dev/pts
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
if [ "$2" = systemd ]; then
  if [ -e /sys/fs/cgroup/cgroup.controllers ]; then mount -t cgroup2 cgroup2 sys/fs/cgroup
  else
    mount -t tmpfs tmpfs sys/fs/cgroup
    mkdir sys/fs/cgroup/systemd
    mount -t cgroup -o none,name=systemd,xattr cgroup sys/fs/cgroup/systemd
  fi
fi
ip link set lo up
hostname machine
# "ready" is printed with the new root in place: a command that enters before has the root of this machine.
[ "$2" = shell ] || exec env -i container=coxswain PATH=${path} chroot "$1" /bin/sh -c 'echo ready; exec /sbin/init < /dev/null > /dev/null 2>&1'
exec env -i PATH=${path} chroot "$1" /bin/bash -c 'echo ready; trap : TERM; while :; do sleep 1000 & wait; done'
`;

/** A machine in namespaces of this one: Debian in a folder, with its own processes and a network of which no packet leaves. */
export class Machine {
  /** Those that run. */
  static readonly all = new Set<Machine>();
  readonly #outer: ChildProcess;
  /** Of its first process, as this machine numbers it. */
  readonly #pid: number;
  readonly #cgroup: string | undefined;

  private constructor(made: { outer: ChildProcess; pid: number; cgroup: string | undefined }) {
    this.#outer = made.outer;
    this.#pid = made.pid;
    this.#cgroup = made.cgroup;
    Machine.all.add(this);
  }

  static async start({ root, init, mounts = {} }: MachineOptions): Promise<Machine> {
    const cgroup = init === "systemd" ? makeCgroup() : undefined;
    const flags = ["--mount", "--pid", "--net", "--uts", "--ipc", "--fork", "--kill-child", "--propagation=private"];
    const inner = ["unshare", ...flags, ...(cgroup ? ["--cgroup"] : []), "sh", "-c", setUp, "sh", root, init];
    const mounted = Object.entries(mounts).map(([there, here]) => `${here}=${there.slice(1)}`);
    const join = `[ -z "$1" ] || echo $$ > "$1/cgroup.procs"; shift; exec "$@"`;
    const outer = spawn("sh", ["-c", join, "sh", cgroup ?? "", ...inner, mounted.join(" ")], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [ready] = (await Promise.race([
      once(outer.stdout as NonNullable<typeof outer.stdout>, "data"),
      once(outer, "exit"),
    ])) as [unknown];
    if (String(ready).trim() !== "ready") throw new Error("the machine did not start");
    const children = readFileSync(`/proc/${outer.pid}/task/${outer.pid}/children`, "utf8");
    return new Machine({ outer, pid: Number(children.trim().split(" ")[0]), cgroup });
  }

  /** The command line that runs another one there. */
  #enter(argv: readonly string[], { env = {}, folder = "/", user = 0, isOnline = false }: RunOptions): string[] {
    const variables = { PATH: path, HOME: user === 0 ? "/root" : "/home/node", ...env };
    const namespaces = ["--mount", "--pid", "--uts", "--ipc", ...(isOnline ? [] : ["--net"])];
    const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
    const inFolder = ["sh", "-c", 'cd "$0" && exec "$@"', folder, ...argv];
    const asUser = ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--clear-groups", "env", "-i"];
    return ["--target", String(this.#pid), ...namespaces, "--root", "--wd", ...asUser, ...settings, ...inFolder];
  }

  run(argv: readonly string[], options: RunOptions = {}): Promise<ProgramResult> {
    return runProgram("nsenter", this.#enter(argv, options));
  }

  /** Runs it to its end. @throws Error with what it printed */
  async do(argv: readonly string[], options: RunOptions = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(argv, options);
    if (code !== 0) throw new Error(`${argv.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
    return stdout;
  }

  /** Begins a program that goes on. */
  begin(argv: readonly string[], options: RunOptions = {}): ChildProcess {
    return spawn("nsenter", this.#enter(argv, options), { stdio: ["ignore", "pipe", "pipe"] });
  }

  /** A program of this machine in that one's network. */
  fromOutside(argv: readonly string[]): Promise<ProgramResult> {
    return runProgram("nsenter", ["--target", String(this.#pid), "--net", ...argv]);
  }

  async stop(): Promise<void> {
    if (this.#outer.exitCode === null) {
      this.#outer.kill("SIGKILL"); // the first process dies with it, and all others with that
      await once(this.#outer, "close");
    }
    if (this.#cgroup !== undefined) await removeCgroups(this.#cgroup);
    Machine.all.delete(this);
  }
}

/** Where systemd may make its control groups. */
function makeCgroup(): string {
  const top = existsSync("/sys/fs/cgroup/cgroup.controllers") ? "/sys/fs/cgroup" : "/sys/fs/cgroup/systemd";
  const folder = join(top, `coxswain-deploy-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The kernel lets go of them when their processes are gone, which takes it a moment. */
async function removeCgroups(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await removeCgroups(join(folder, entry.name));
  for (let tries = 0; ; tries++) {
    try {
      return rmdirSync(folder);
    } catch (error) {
      if (tries === 100) throw error;
      await sleep(100);
    }
  }
}
