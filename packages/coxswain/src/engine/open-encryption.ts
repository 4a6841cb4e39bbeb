import { readFile } from "node:fs/promises";
import { parseGroupResource } from "@coxswain/apimachinery/meta";
import { parseYaml } from "@coxswain/apimachinery/yaml";
import type { HealthCheck, ReloadMetrics } from "@coxswain/apiserver";
import type { Runtime } from "@coxswain/runtime";
import type { KeyValueStore } from "@coxswain/storage";
import {
  createEncryption,
  type EncryptionConfiguration,
  encryptStore,
  type Transformer,
} from "@coxswain/storage/encryption";
import { type LoadedEncryption, ReloadingEncryption } from "./reload-encryption.js";
import { resourceOfKey } from "./resource-of-key.js";
import { watchFile } from "./watch-file.js";

const apiVersion = "apiserver.config.k8s.io/v1";
const kind = "EncryptionConfiguration";

export interface OpenedEncryption {
  /** The store whose values are encrypted by the file's configuration. */
  readonly store: KeyValueStore;
  /** Of the plugins, as far as there are any or may come to be. */
  readonly healthChecks: readonly HealthCheck[];
  /** After the store is closed. */
  close(): Promise<void>;
}

export interface OpenEncryptionOptions {
  /** Where keys begin: `/registry/`. */
  readonly root: string;
  readonly runtime: Runtime;
  /** What is counted of reloads. */
  readonly metrics: ReloadMetrics;
  /** Whether changes of the file take effect while the server runs. @default false */
  readonly reload?: boolean;
}

/**
 * Reads an EncryptionConfiguration and encrypts values accordingly.
 * @throws Error that names the file
 */
export async function openEncryption(
  file: string,
  inner: KeyValueStore,
  { root, runtime, metrics, reload = false }: OpenEncryptionOptions,
): Promise<OpenedEncryption> {
  const first = await load(file, runtime, undefined);
  const encryption = new ReloadingEncryption({
    first: first!,
    load: (known) => load(file, runtime, known),
    runtime,
    metrics,
  });
  let known = new Map<string, Transformer>();
  let knownOf = encryption.current;
  const transformerFor = (key: string): Transformer => {
    if (knownOf !== encryption.current) {
      known = new Map();
      knownOf = encryption.current;
    }
    const { group, resource } = resourceOfKey(key.slice(root.length));
    const name = `${resource}.${group}`;
    let transformer = known.get(name);
    if (!transformer) known.set(name, (transformer = knownOf.transformerFor({ group, resource })));
    return transformer;
  };
  const watching = reload
    ? watchFile(
        file,
        () => void encryption.reload(),
        (error) =>
          runtime.log.warn("the encryption configuration cannot be watched here: send SIGHUP when it has changed", {
            error,
          }),
      )
    : undefined;
  const close = async (): Promise<void> => {
    watching?.stop();
    await encryption.close();
  };
  const healthChecks =
    reload || encryption.current.usesPlugins
      ? [{ name: "kms-providers", check: () => encryption.current.problem() }]
      : [];
  return { store: encryptStore(inner, transformerFor), healthChecks, close };
}

/** @param known the text that is in force; undefined is answered when the file still has it */
async function load(file: string, runtime: Runtime, known: string | undefined): Promise<LoadedEncryption | undefined> {
  try {
    const text = await readFile(file, "utf8");
    if (text === known) return undefined;
    const { value } = parseYaml(text);
    const config = value as (EncryptionConfiguration & { readonly apiVersion?: string; readonly kind?: string }) | null;
    if (config?.kind !== kind || config.apiVersion !== apiVersion)
      throw new Error(`it must have "kind: ${kind}" and "apiVersion: ${apiVersion}"`);
    return {
      encryption: await createEncryption(config, { runtime }),
      text,
      resources: (config.resources ?? []).flatMap(({ resources = [] }) => resources.map(parseGroupResource)),
    };
  } catch (err) {
    throw new Error(
      `the encryption configuration ${file} cannot be used: ${err instanceof Error ? err.message : String(err)}`,
      { cause: err },
    );
  }
}
