import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";

/** What tests need that write tables or make connections, for `describeWith`. */
export const rootAndNft = {
  found: process.getuid?.() === 0 && ["nft", "ip", "unshare", "nsenter"].every(isInstalled),
  missing: "root, nft and iproute2 (apt-get install nftables iproute2 util-linux)",
};

function isInstalled(program: string): boolean {
  return (process.env["PATH"] ?? "").split(":").some((folder) => existsSync(`${folder}/${program}`));
}

/** A network namespace of a test's own, held by a process that sleeps in it. Nothing in it reaches the machine's network. */
export class NetworkNamespace {
  readonly #holder: ChildProcess;

  private constructor(holder: ChildProcess) {
    this.#holder = holder;
  }

  static async open(): Promise<NetworkNamespace> {
    const holder = spawn("unshare", ["-n", "sh", "-c", "ip link set lo up; echo ready; exec sleep 3600"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise<void>((resolve, reject) => {
      holder.stdout?.once("data", () => resolve());
      holder.once("error", reject);
    });
    return new NetworkNamespace(holder);
  }

  get pid(): number {
    return this.#holder.pid ?? 0;
  }

  /** What a command is put behind to run inside. */
  get enter(): string[] {
    return ["nsenter", "-t", String(this.pid), "-n"];
  }

  /** Runs a command inside; what it printed. @throws Error with its errors */
  run(command: string, input = ""): string {
    const [program = "", ...args] = [...this.enter, "sh", "-c", command];
    return execFileSync(program, args, {
      input,
      encoding: "utf8",
      stdio: ["pipe", "pipe", "pipe"],
      maxBuffer: 1 << 28,
    });
  }

  /** Runs a program inside, without keeping the test from other work. What it printed. */
  start(program: string, args: readonly string[]): Promise<string> {
    const [first = "", ...rest] = [...this.enter, program, ...args];
    return new Promise((resolve, reject) =>
      execFile(first, rest, (error, stdout) => (error === null ? resolve(stdout) : reject(error))),
    );
  }

  /** A program that runs inside until the namespace is closed. */
  spawn(program: string, args: readonly string[]): ChildProcess {
    const [first = "", ...rest] = [...this.enter, program, ...args];
    const child = spawn(first, rest, { stdio: ["pipe", "pipe", "inherit"] });
    this.#children.push(child);
    return child;
  }
  readonly #children: ChildProcess[] = [];

  close(): void {
    for (const child of this.#children) child.kill("SIGKILL");
    this.#holder.kill("SIGKILL");
  }
}
