import { cpSync, existsSync, realpathSync } from "node:fs";
import { appendFile, copyFile, cp, mkdir, rename, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runProgram } from "../clients/run-program.js";
import { cacheDirectory } from "../upstream/index.js";

/** Besides what every Debian has: what images of Node and runners of CI have, and systemd. */
const packages = ["bash", "ca-certificates", "git", "iproute2", "procps", "systemd", "systemd-sysv"];
/** Raised with every change of this list. */
const rootVersion = 1;

const baseFile = (): string => join(cacheDirectory(), "deploy", `debian-root-${rootVersion}.tar`);

/** A root file system of Debian 12, as a tar archive; made once, which takes a minute and the network. */
export async function ensureDebianRoot(print: (line: string) => void): Promise<string> {
  const file = baseFile();
  if (existsSync(file)) return file;
  print("making a root file system (a minute)");
  await mkdir(dirname(file), { recursive: true });
  const partial = `${file}.partial-${process.pid}`;
  const flags = [
    "--quiet",
    "--variant=minbase",
    `--include=${packages.join(",")}`,
    "--skip=output/dev",
    "--format=tar",
  ];
  await command("mmdebstrap", [...flags, "bookworm", partial]);
  await rename(partial, file);
  return file;
}

/** A folder with that root, this machine's Node and npm, and the user `node` (1000) of Node's official images. */
export async function makeNodeRoot(archive: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await command("tar", ["--extract", "--file", archive, "--directory", folder]);
  await copyFile(process.execPath, join(folder, "usr/local/bin/node"));
  const npm = realpathSync((await runProgram("sh", ["-c", "command -v npm"])).stdout.trim());
  const modules = join(folder, "usr/local/lib/node_modules");
  cpSync(join(dirname(npm), ".."), join(modules, "npm"), { recursive: true });
  for (const name of ["npm", "npx"])
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(folder, "usr/local/bin", name));
  await appendFile(join(folder, "etc/passwd"), "node:x:1000:1000::/home/node:/bin/bash\n");
  await appendFile(join(folder, "etc/group"), "node:x:1000:\n");
  await mkdir(join(folder, "home/node"), { recursive: true });
  await command("chown", ["1000:1000", join(folder, "home/node")]);
  await rm(join(folder, "etc/resolv.conf"), { force: true });
  await cp("/etc/resolv.conf", join(folder, "etc/resolv.conf"), { dereference: true });
  // Whom this machine trusts: a proxy in front of npm's registry, for example.
  if (existsSync(certificates)) await cp(certificates, join(folder, certificates), { dereference: true });
}

const certificates = "/etc/ssl/certs/ca-certificates.crt";

/** What npm needs on a machine that is online by this one's network: this machine's registry, by those whom it trusts. */
export async function npmSettings(): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await runProgram("npm", ["config", "get", "registry"]);
  return { npm_config_registry: stdout.trim(), NODE_EXTRA_CA_CERTS: certificates };
}

/** Runs a program to its end. @throws Error with what it printed */
export async function command(program: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runProgram(program, args);
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}: ${stderr}${stdout}`);
  return stdout;
}
