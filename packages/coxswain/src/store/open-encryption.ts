import { readFile } from "node:fs/promises";
import { systemClock } from "@coxswain/apimachinery/clock";
import { systemRandom } from "@coxswain/apimachinery/random";
import { parseYaml } from "@coxswain/apimachinery/yaml";
import type { Logger } from "@coxswain/component/log";
import type { KeyValueStore } from "@coxswain/storage";
import { createEncryption, type EncryptionConfiguration, encryptStore, type Transformer } from "@coxswain/storage/encryption";
import { resourceOfKey } from "./resource-of-key.js";

const apiVersion = "apiserver.config.k8s.io/v1";
const kind = "EncryptionConfiguration";

export interface OpenedEncryption {
  /** The store whose values are kept as the file says. */
  readonly store: KeyValueStore;
  /** After the store is closed. */
  close(): Promise<void>;
}

/**
 * Reads an EncryptionConfiguration and keeps values as it says.
 * @param root where keys begin: `/registry/`
 * @throws Error that names the file
 */
export async function openEncryption(file: string, inner: KeyValueStore, { root, log }: { root: string; log: Pick<Logger, "warn"> }): Promise<OpenedEncryption> {
  const encryption = await load(file, log);
  const known = new Map<string, Transformer>();
  const transformerFor = (key: string): Transformer => {
    const { group, resource } = resourceOfKey(key.slice(root.length));
    const name = `${resource}.${group}`;
    let transformer = known.get(name);
    if (!transformer) known.set(name, (transformer = encryption.transformerFor({ group, resource })));
    return transformer;
  };
  return { store: encryptStore(inner, transformerFor), close: () => encryption.close() };
}

async function load(file: string, log: Pick<Logger, "warn">) {
  try {
    const { value } = parseYaml(await readFile(file));
    const config = value as (EncryptionConfiguration & { readonly apiVersion?: string; readonly kind?: string }) | null;
    if (config?.kind !== kind || config.apiVersion !== apiVersion) throw new Error(`it must have "kind: ${kind}" and "apiVersion: ${apiVersion}"`);
    return await createEncryption(config, { clock: systemClock, random: systemRandom, warn: (message, fields) => log.warn(message, fields) });
  } catch (err) {
    throw new Error(`the encryption configuration ${file} cannot be used: ${err instanceof Error ? err.message : String(err)}`, { cause: err });
  }
}
