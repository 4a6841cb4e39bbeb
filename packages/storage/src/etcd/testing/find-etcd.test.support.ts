import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describeWith } from "@coxswain/tools/needs";

export interface EtcdProgram {
  readonly command: string;
  /** For example `3.4.23`. */
  readonly version: string;
}

/** One suite per etcd that is there; with none, one skipped test. */
export function describeOverEtcd(title: string, suite: (program: EtcdProgram) => void): void {
  const missing = "etcd (apt-get install etcd-server)";
  const programs = findEtcd();
  for (const found of programs) describeWith(`${title}, etcd ${found.version}`, { found, missing }, suite);
  if (programs.length === 0) describeWith(title, { found: undefined, missing }, suite);
}

/** The distribution's etcd, which tests on a CI machine install where they may, and the one built for comparisons, where it is. */
function findEtcd(): EtcdProgram[] {
  const built = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "coxswain/upstream/v1.36.4/bin/etcd");
  const packaged = programAt("etcd") ?? (installPackage() ? programAt("etcd") : undefined);
  const programs = [packaged, existsSync(built) ? programAt(built) : undefined].filter(
    (program) => program !== undefined,
  );
  return programs.filter(
    (program, index) => programs.findIndex(({ version }) => version === program.version) === index,
  );
}

function programAt(command: string): EtcdProgram | undefined {
  const version = /etcd Version: (\S+)/.exec(spawnSync(command, ["--version"], { encoding: "utf8" }).stdout ?? "")?.[1];
  return version === undefined ? undefined : { command, version };
}

function installPackage(): boolean {
  if (process.env["CI"] !== "true" || process.platform !== "linux") return false;
  const rights = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  const run = (...args: string[]): boolean => {
    const [command, ...rest] = [...rights, ...args];
    return (
      spawnSync(command!, rest, {
        stdio: "ignore",
        env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
        timeout: 300_000,
      }).status === 0
    );
  };
  return (
    run("apt-get", "install", "-y", "etcd-server") ||
    (run("apt-get", "update") && run("apt-get", "install", "-y", "etcd-server"))
  );
}
