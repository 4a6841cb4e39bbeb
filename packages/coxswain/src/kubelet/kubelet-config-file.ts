import { readFileSync } from "node:fs";
import { FlagError } from "@coxswain/component/flags";
import { type KubeletConfig, parseKubeletConfig } from "@coxswain/kubelet";

/** The configuration in a file; without one, the defaults. @throws FlagError that names the file and what is wrong with it */
export function readKubeletConfig(file: string | undefined): KubeletConfig {
  if (file === undefined) return {};
  try {
    return parseKubeletConfig(readFileSync(file, "utf8"));
  } catch (error) {
    throw new FlagError(`${file}: ${(error as Error).message}`);
  }
}
