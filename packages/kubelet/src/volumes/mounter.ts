import { readFile } from "node:fs/promises";
import { type MountEntry, parseMountInfo } from "../machine/mount-table.js";
import { ProgramError, type RunProgram } from "../machine/programs.js";

/** Mounts and unmounts in the kubelet's own mount namespace. Paths are absolute and taken as they are: no link is followed. */
export interface Mounter {
  table(): Promise<readonly MountEntry[]>;
  mount(request: MountRequest): Promise<void>;
  /** What is not mounted is no error. */
  unmount(target: string): Promise<void>;
}

export interface MountRequest {
  readonly source: string;
  readonly target: string;
  /** @default none: a bind mount */
  readonly fsType?: string;
  readonly options: readonly string[];
}

/** By `mount` and `umount` of util-linux. */
export function createMounter(run: RunProgram): Mounter {
  /** Undefined until the first tmpfs was mounted: kernels before 6.4, and user namespaces, refuse `noswap`. */
  let hasNoSwap: boolean | undefined;

  const table = async (): Promise<MountEntry[]> => parseMountInfo(await readFile("/proc/self/mountinfo", "utf8"));

  async function mountOnce({ source, target, fsType, options }: MountRequest): Promise<void> {
    const args = [
      "--no-canonicalize",
      ...(fsType === undefined ? [] : ["-t", fsType]),
      ...(options.length > 0 ? ["-o", options.join(",")] : []),
      source,
      target,
    ];
    await run("mount", args).catch((error: unknown) => {
      throw failure("mount failed", { command: "mount", args }, error);
    });
  }

  return {
    table,
    async mount(request) {
      if (request.fsType !== "tmpfs" || hasNoSwap === false) return mountOnce(request);
      try {
        // Secrets must not reach a disk by way of swap.
        await mountOnce({ ...request, options: [...request.options, "noswap"] });
        hasNoSwap = true;
      } catch (error) {
        if (hasNoSwap) throw error;
        await mountOnce(request);
        hasNoSwap = false;
      }
    },
    async unmount(target) {
      try {
        await run("umount", ["--no-canonicalize", target]);
      } catch (error) {
        if (!(await table()).some((entry) => entry.target === target)) return;
        throw failure("unmount failed", { command: "umount", args: [target] }, error);
      }
    },
  };
}

/** In the words of upstream's k8s.io/mount-utils, `MountSensitive` and `Unmount`. */
function failure(what: string, { command, args }: { command: string; args: readonly string[] }, error: unknown): Error {
  if (!(error instanceof ProgramError)) return error as Error;
  const lines =
    command === "mount"
      ? [`Mounting command: ${command}`, `Mounting arguments: ${args.join(" ")}`]
      : [`Unmounting arguments: ${args.join(" ")}`];
  return new Error([`${what}: ${error.message}`, ...lines, `Output: ${error.output}`].join("\n"), { cause: error });
}
