import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type PluginConfiguration, readAdmissionConfiguration } from "@coxswain/apiserver";

/** Reads the file of `--admission-control-config-file`. Paths in it are relative to where it stands. */
export function readAdmissionConfigFile(path: string): Map<string, PluginConfiguration> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (err) {
    throw new Error(`unable to read admission control configuration from "${path}"`, { cause: err });
  }
  try {
    return readAdmissionConfiguration(text, (named) => readFileSync(resolve(dirname(path), named), "utf8"));
  } catch (err) {
    throw new Error(`${path}: ${err instanceof Error ? err.message : String(err)}`, { cause: err });
  }
}
