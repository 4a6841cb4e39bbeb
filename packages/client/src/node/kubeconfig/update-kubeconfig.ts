import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { type Runtime, systemRuntime } from "@coxswain/runtime";
import { pollUntil } from "@coxswain/runtime/wait";
import { formatKubeconfig, type Kubeconfig, KubeconfigError, parseKubeconfig } from "../../kubeconfig/index.js";

/**
 * Changes one file under kubectl's lock (`config.lock`): what others write meanwhile is not lost. The file is replaced
 * whole; members that `edit` does not touch stay, comments do not (kubectl drops them, too).
 */
export async function updateKubeconfig(
  file: string,
  edit: (config: Kubeconfig) => Kubeconfig,
  { runtime = systemRuntime() }: { runtime?: Runtime } = {},
): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  const lock = `${file}.lock`;
  const locked = await pollUntil(() => tryLock(lock), { intervalMs: 50, timeoutMs: 5000, clock: runtime.ioClock });
  if (!locked) throw new KubeconfigError(`another program writes it; if none does, delete ${lock}`, { file });
  try {
    const old = existsSync(file) ? parseKubeconfig(readFileSync(file, "utf8"), file) : {};
    const mode = existsSync(file) ? statSync(file).mode & 0o777 : 0o600;
    const partial = `${file}.partial-${process.pid}`;
    writeFileSync(partial, formatKubeconfig(edit(old)), { mode });
    renameSync(partial, file);
  } finally {
    rmSync(lock, { force: true });
  }
}

function tryLock(lock: string): boolean {
  try {
    closeSync(openSync(lock, "wx", 0));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
