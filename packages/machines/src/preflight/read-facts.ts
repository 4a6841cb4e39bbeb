import { access, constants, readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { runProgram } from "@coxswain/component/programs";
import type { Clock } from "@coxswain/runtime/clock";
import { parseContainerdVersion } from "../config/containerd-config.js";
import type { PreflightFacts } from "./find-problems.js";
import { type NeededProgram, neededPrograms } from "./needed-programs.js";

/** The first of the folders that has the program. */
export async function findProgram(
  { name, folders = [] }: Pick<NeededProgram, "name" | "folders">,
  path = process.env["PATH"] ?? "",
): Promise<string | undefined> {
  // A user's PATH may lack what root's has.
  for (const folder of [...path.split(delimiter), "/usr/sbin", "/sbin", ...folders]) {
    if (folder === "") continue;
    const found = await access(join(folder, name), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return join(folder, name);
  }
  return undefined;
}

/** Changes nothing, except that it loads modules of the kernel where it may. */
export async function readPreflightFacts(clock: Clock): Promise<PreflightFacts> {
  const { platform } = process;
  const isRoot = process.geteuid?.() === 0;
  const nothing = { platform, isRoot, missing: [], containerdMajor: undefined, missingInKernel: [] };
  if (platform !== "linux") return nothing;
  const found = await Promise.all(
    neededPrograms.map(async (program) => ({ program, path: await findProgram(program) })),
  );
  const missing = found.flatMap(({ program, path }) => (path === undefined ? [program] : []));
  const isThere = !missing.some(({ name }) => name === "containerd");
  return {
    ...nothing,
    missing,
    containerdMajor: isThere ? await containerdMajor(clock) : undefined,
    missingInKernel: isRoot ? await missingInKernel(clock) : [],
  };
}

export const containerdMajor = async (clock: Clock, program = "containerd"): Promise<number | undefined> =>
  parseContainerdVersion(await runProgram(clock, [program, "--version"], "").catch(() => ""));

async function missingInKernel(clock: Clock): Promise<string[]> {
  const has = {
    overlay: async () => /\boverlay$/m.test(await readFile("/proc/filesystems", "utf8")),
    br_netfilter: () =>
      access("/proc/sys/net/bridge").then(
        () => true,
        () => false,
      ),
  };
  const missing: string[] = [];
  for (const [name, isThere] of Object.entries(has)) {
    if (await isThere()) continue;
    await runProgram(clock, ["modprobe", name], "").catch(() => {}); // whether it helped is seen below
    if (!(await isThere())) missing.push(name);
  }
  return missing;
}
