import { fieldErrorsText } from "@coxswain/apimachinery/field";
import { type GroupResource, parseGroupResource } from "@coxswain/apimachinery/meta";
import { parseDurationMs } from "@coxswain/apimachinery/time";
import type { Runtime } from "@coxswain/runtime";
import { createAesCbc, createAesGcm } from "./aes.js";
import {
  type EncryptionConfiguration,
  formatGroupResource,
  type KeysConfiguration,
  type ProviderConfiguration,
} from "./configuration.js";
import { type KmsProvider, startKmsProvider } from "./kms/kms-provider.js";
import { rememberHealth } from "./kms/remember-health.js";
import { firstOf, identityTransformer, type PrefixedTransformer, type Transformer } from "./transformer.js";
import { validateEncryptionConfiguration } from "./validate-configuration.js";

export interface EncryptionOptions {
  /** Its randomness must be cryptographically strong. */
  readonly runtime: Runtime;
}

/** The providers of a configuration. */
export interface Encryption {
  /** How values of a resource are kept; plainly where the configuration does not name it. */
  transformerFor(resource: GroupResource): Transformer;
  /** Whether every key management plugin is well. @throws TransformError */
  check(): Promise<void>;
  /** Whether there are such plugins. */
  readonly usesPlugins: boolean;
  /** What is wrong with them, or nothing; asked of each at most every few seconds. */
  problem(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** @throws Error when the configuration is wrong */
export async function createEncryption(
  config: EncryptionConfiguration,
  options: EncryptionOptions,
): Promise<Encryption> {
  const wrong = fieldErrorsText(validateEncryptionConfiguration(config));
  if (wrong !== undefined) throw new Error(wrong);
  const plugins: KmsProvider[] = [];
  const close = async (): Promise<void> => void (await Promise.all(plugins.map((plugin) => plugin.close())));
  const byResource = new Map<string, PrefixedTransformer[]>();
  try {
    for (const { resources = [], providers = [] } of config.resources ?? []) {
      const transformers: PrefixedTransformer[] = [];
      for (const provider of providers) transformers.push(await createProvider(provider, options, plugins));
      for (const text of resources) addTransformers(byResource, parseGroupResource(text), transformers);
    }
  } catch (error) {
    await close();
    throw error;
  }
  const healths = plugins.map((plugin) => rememberHealth(() => plugin.check(), options.runtime.clock));
  const made = new Map(
    [...byResource].map(([name, transformers]) => [name, firstOf(transformers, "no matching prefix found")]),
  );
  return {
    transformerFor: ({ group, resource }) =>
      made.get(formatGroupResource({ group, resource })) ??
      made.get(formatGroupResource({ group, resource: "*" })) ??
      made.get("*.*") ??
      identityTransformer,
    usesPlugins: plugins.length > 0,
    async problem() {
      const problems: string[] = [];
      for (const [index, health] of healths.entries()) {
        const problem = await health();
        if (problem !== undefined) problems.push(`kms-provider-${index}: ${problem}`);
      }
      return problems.length > 1 ? `[${problems.join(", ")}]` : problems[0];
    },
    async check() {
      for (const plugin of plugins) await plugin.check();
    },
    close,
  };
}

/** A rule may follow a narrower one, but not hide behind a wider one. */
function addTransformers(
  all: Map<string, PrefixedTransformer[]>,
  resource: GroupResource,
  transformers: readonly PrefixedTransformer[],
): void {
  const name = formatGroupResource(resource);
  for (const wider of [formatGroupResource({ ...resource, resource: "*" }), "*.*"]) {
    if (all.has(wider))
      throw new Error(`resource ${JSON.stringify(name)} is masked by earlier rule ${JSON.stringify(wider)}`);
  }
  all.set(name, [...(all.get(name) ?? []), ...transformers]);
}

async function createProvider(
  provider: ProviderConfiguration,
  options: EncryptionOptions,
  plugins: KmsProvider[],
): Promise<PrefixedTransformer> {
  const { random } = options.runtime;
  if (provider.aesgcm)
    return {
      prefix: "k8s:enc:aesgcm:v1:",
      transformer: keyed(provider.aesgcm, (key) => createAesGcm(key, random), "AES"),
    };
  if (provider.aescbc)
    return {
      prefix: "k8s:enc:aescbc:v1:",
      transformer: keyed(provider.aescbc, (key) => createAesCbc(key, random), "AES"),
    };
  if (provider.secretbox) {
    const { createSecretbox } = await import("./secretbox/secretbox.js");
    return {
      prefix: "k8s:enc:secretbox:v1:",
      transformer: keyed(provider.secretbox, (key) => createSecretbox(key, random), "Secretbox"),
    };
  }
  if (!provider.kms) return { prefix: "", transformer: identityTransformer };
  const { apiVersion = "v1", name = "", endpoint = "", timeout = "3s" } = provider.kms;
  if (apiVersion !== "v2")
    throw new Error(
      "KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead: set apiVersion to v2 for the provider.",
    );
  const plugin = await startKmsProvider({ ...options, name, endpoint, timeoutMs: parseDurationMs(timeout)! });
  plugins.push(plugin);
  return { prefix: `k8s:enc:kms:v2:${name}:`, transformer: plugin };
}

/** The first key writes, all of them read. */
const keyed = ({ keys = [] }: KeysConfiguration, create: (key: Uint8Array) => Transformer, kind: string): Transformer =>
  firstOf(
    keys.map(({ name = "", secret = "" }) => ({
      prefix: `${name}:`,
      transformer: create(Buffer.from(secret, "base64")),
    })),
    `no matching key was found for the provided ${kind} transformer`,
  );
