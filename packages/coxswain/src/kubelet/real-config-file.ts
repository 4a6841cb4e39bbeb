import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseYaml } from "@coxswain/apimachinery/yaml";
import { FlagError } from "@coxswain/component/flags";
import { parseRealConfig, type RealKubeletConfig } from "@coxswain/kubelet";

export interface RealConfigSource {
  readonly file: string | undefined;
  /** Of files `*.conf`. */
  readonly directory: string | undefined;
  /** Of the flag. */
  readonly endpoint: string | undefined;
}

export type RealNodeConfig = RealKubeletConfig & { readonly containerRuntimeEndpoint: string };

const head = { apiVersion: "kubelet.config.k8s.io/v1beta1", kind: "KubeletConfiguration" };

/** The configuration of a real node; undefined where neither flag nor file names a runtime. @throws FlagError */
export function readRealConfig({ file, directory, endpoint }: RealConfigSource): RealNodeConfig | undefined {
  const files = [...(file === undefined ? [] : [file]), ...dropIns(directory)];
  const texts = files.map((path) => ({ path, value: readObject(path) }));
  const named = texts.map(({ value }) => value["containerRuntimeEndpoint"]).findLast((each) => each !== undefined);
  const runtime = endpoint ?? (typeof named === "string" ? named : "");
  if (runtime === "") return undefined;
  for (const { path, value } of texts) check(path, JSON.stringify({ ...head, ...value }));
  // A list or a map of a later file takes the place of the whole.
  const merged = Object.assign({}, ...texts.map(({ value }) => value)) as Record<string, unknown>;
  return { ...parseRealConfig(JSON.stringify({ ...merged, ...head })), containerRuntimeEndpoint: runtime };
}

function dropIns(directory: string | undefined): string[] {
  if (directory === undefined) return [];
  try {
    const names = readdirSync(directory).filter((name) => name.endsWith(".conf"));
    return names.sort().map((name) => join(directory, name));
  } catch (error) {
    throw new FlagError(`--config-dir: ${(error as Error).message}`);
  }
}

function readObject(path: string): Record<string, unknown> {
  try {
    const { value } = parseYaml(readFileSync(path, "utf8"));
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("expected an object");
    return value as Record<string, unknown>;
  } catch (error) {
    throw new FlagError(`${path}: ${(error as Error).message}`);
  }
}

function check(path: string, text: string): void {
  try {
    parseRealConfig(text);
  } catch (error) {
    throw new FlagError(`${path}: ${(error as Error).message}`);
  }
}
