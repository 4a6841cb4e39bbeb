import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The kubectl of a minor release ("1.27"), from `COXSWAIN_KUBECTL_DIR` or beside the real file of the kubectl on the PATH. By an empty
 * name, where no release has a file of its own: the one on the PATH.
 */
export function findKubectl(minor: string): string | undefined {
  if (minor === "") return installedKubectl();
  const directory = process.env["COXSWAIN_KUBECTL_DIR"] ?? installedDirectory();
  const path = directory === undefined ? undefined : join(directory, `kubectl.${minor}`);
  return path !== undefined && existsSync(path) ? path : undefined;
}

/** Every release that is there, oldest first. */
export function kubectlMinors(): string[] {
  const directory = process.env["COXSWAIN_KUBECTL_DIR"] ?? installedDirectory();
  if (directory === undefined || !existsSync(directory)) return [];
  return readdirSync(directory)
    .map((name) => /^kubectl\.(1\.\d+)$/.exec(name)?.[1])
    .filter((minor): minor is string => minor !== undefined)
    .sort((a, b) => Number(a.slice(2)) - Number(b.slice(2)));
}

function installedDirectory(): string | undefined {
  const path = installedKubectl();
  return path === undefined ? undefined : dirname(path);
}

function installedKubectl(): string | undefined {
  try {
    return realpathSync(execFileSync("sh", ["-c", "command -v kubectl"], { encoding: "utf8" }).trim());
  } catch {
    return undefined;
  }
}
