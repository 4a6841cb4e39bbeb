import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import {
  type ClientConfig,
  type KubeconfigChoice,
  KubeconfigError,
  type MergedKubeconfig,
  mergeKubeconfigs,
  parseKubeconfig,
  resolveKubeconfig,
} from "../../kubeconfig/index.js";

type Environment = Readonly<Record<string, string | undefined>>;

export interface LoadKubeconfigOptions extends KubeconfigChoice {
  /** One file, which must be there. @default those that KUBECONFIG lists, else ~/.kube/config */
  readonly path?: string | undefined;
  /** @default process.env */
  readonly environment?: Environment;
}

/** Where kubectl would look. */
export function kubeconfigFiles(environment: Environment = process.env): string[] {
  const listed = (environment["KUBECONFIG"] ?? "").split(delimiter).filter((path) => path !== "");
  if (listed.length > 0) return [...new Set(listed)];
  return [join(environment["HOME"] || homedir(), ".kube", "config")];
}

/** The files as one; those that are not there are passed over, unless one was named. @throws KubeconfigError */
export function readKubeconfigs({ path, environment = process.env }: LoadKubeconfigOptions = {}): MergedKubeconfig {
  const files = path === undefined ? kubeconfigFiles(environment) : [path];
  return mergeKubeconfigs(
    files.flatMap((name) => {
      const file = resolve(name);
      if (path === undefined && !existsSync(file)) return [];
      return [{ config: parseKubeconfig(readText(file), file), file }];
    }),
  );
}

/** What kubectl would connect to. Synchronous: it runs once, at the start of a program. @throws KubeconfigError */
export function loadKubeconfig(options: LoadKubeconfigOptions = {}): ClientConfig {
  return resolveKubeconfig(readKubeconfigs(options), options, besideFile);
}

/** A kubeconfig that is no file: for example from a secret. Paths in it are relative to the working directory. */
export function loadKubeconfigText(text: string, choice: KubeconfigChoice = {}): ClientConfig {
  return resolveKubeconfig(mergeKubeconfigs([{ config: parseKubeconfig(text) }]), choice, besideFile);
}

/** Relative paths are relative to the folder of the file they stand in. */
function besideFile(path: string, file: string | undefined): string {
  return isAbsolute(path) ? path : resolve(file === undefined ? "." : dirname(file), path);
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new KubeconfigError(`it cannot be read: ${(cause as Error).message}`, { file }, { cause });
  }
}
