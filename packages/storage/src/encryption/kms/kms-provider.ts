import { createHash } from "node:crypto";
import type { Runtime } from "@coxswain/runtime";
import type { Timer } from "@coxswain/runtime/clock";
import { createDerivedKeyGcm } from "../derived-key-gcm.js";
import { type ReadValue, TransformError, type Transformer } from "../transformer.js";
import {
  cacheKeyOf,
  checkEncryptedObject,
  checkKeyId,
  readEncryptedObject,
  writeEncryptedObject,
} from "./encrypted-object.js";
import { type KmsPlugin, openKmsPlugin } from "./kms-plugin.js";
import { dekSource, type EncryptedObject } from "./rpc.js";
import { UnwrappedKeys } from "./unwrapped-keys.js";

export interface KmsProviderOptions {
  readonly name: string;
  /** `unix:///path/to/plugin.sock` */
  readonly endpoint: string;
  /** Of one call. @default 3000 */
  readonly timeoutMs?: number;
  /** Its randomness must be cryptographically strong. */
  readonly runtime: Runtime;
}

/** Values encrypted with keys that a plugin wraps. */
export interface KmsProvider extends Transformer {
  readonly name: string;
  /** The plugin answers, is well, and its key is in use. @throws TransformError */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** As kube-apiserver asks for the plugin's status, and for how long it writes on with a seed whose plugin does not answer. */
const healthyIntervalMs = 60_000;
const unhealthyIntervalMs = 10_000;
const seedLifetimeMs = 180_000;

/** With which new values are written. */
interface WriteState {
  readonly transformer: Transformer;
  /** Without data; goes with every value. */
  readonly wrapped: EncryptedObject;
  expires: number;
}

/** Resolves after the plugin was asked once; one that does not answer yet is asked on, and reads and writes fail until it does. */
export async function startKmsProvider(options: KmsProviderOptions): Promise<KmsProvider> {
  const provider = new PluginProvider(options);
  await provider.watchOver();
  return provider;
}

class PluginProvider implements KmsProvider {
  readonly name: string;
  readonly #runtime: Runtime;
  readonly #plugin: KmsPlugin;
  readonly #keys: UnwrappedKeys;
  #state: WriteState | undefined;
  #version: string | undefined;
  #timer: Timer | undefined;
  #closed = false;

  constructor({ name, endpoint, runtime, timeoutMs = 3000 }: KmsProviderOptions) {
    this.name = name;
    this.#runtime = runtime;
    this.#plugin = openKmsPlugin(endpoint, runtime, timeoutMs);
    this.#keys = new UnwrappedKeys(this.#plugin, runtime.random);
  }

  read(kept: Uint8Array, context: Uint8Array): ReadValue | Promise<ReadValue> {
    const found = readEncryptedObject(kept);
    const { wrapped } = this.#current();
    const stale = found.keyId !== wrapped.keyId || found.sourceType !== wrapped.sourceType;
    const open = (transformer: Transformer): ReadValue => ({
      value: (transformer.read(found.encryptedData, context) as { value: Uint8Array }).value,
      stale,
    });
    const transformer = this.#keys.transformerFor(found);
    return transformer instanceof Promise ? transformer.then(open) : open(transformer);
  }

  write(value: Uint8Array, context: Uint8Array): Uint8Array {
    const { transformer, wrapped, expires } = this.#current();
    if (this.#runtime.clock.monotonic() > expires)
      throw new TransformError(
        `the key management plugin ${this.name} has not confirmed the key ${hashOf(wrapped.keyId)} for ${seedLifetimeMs / 60_000} minutes: nothing is written with it until it does`,
      );
    return writeEncryptedObject({ ...wrapped, encryptedData: transformer.write(value, context) as Uint8Array });
  }

  async check(): Promise<void> {
    // Counted from before the call: the plugin's answer may be older than its arrival.
    const expires = this.#runtime.clock.monotonic() + seedLifetimeMs;
    const status = await this.#plugin.status();
    const problem = this.#problemOf(status);
    if (problem !== undefined) throw this.#unhealthy(problem);
    this.#version ??= status.version;
    checkKeyId(status.keyId);
    if (this.#state?.wrapped.keyId === status.keyId) {
      this.#state.expires = expires;
      return;
    }
    const next = await this.#makeState(expires);
    if (next.wrapped.keyId !== status.keyId)
      throw this.#unhealthy(`it names the key ${hashOf(status.keyId)} but encrypts with ${hashOf(next.wrapped.keyId)}`);
    this.#state = next;
    this.#keys.remember(cacheKeyOf(next.wrapped), next.transformer);
  }

  /** Asks for the plugin's status, now and from time to time. */
  async watchOver(): Promise<void> {
    const { clock, log } = this.#runtime;
    let healthy = true;
    try {
      await this.check();
    } catch (error) {
      healthy = false;
      if (!this.#closed) log.warn("A key management plugin is not well", { name: this.name, error });
    }
    if (!this.#closed)
      this.#timer = clock.setTimer(healthy ? healthyIntervalMs : unhealthyIntervalMs, () => void this.watchOver());
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#timer?.cancel();
    return this.#plugin.close();
  }

  #current(): WriteState {
    if (!this.#state) throw new TransformError(`the key management plugin ${this.name} has not answered yet`);
    return this.#state;
  }

  #problemOf({ healthz, version }: { readonly healthz: string; readonly version: string }): string | undefined {
    if (healthz !== "ok") return `got unexpected healthz status: ${healthz}`;
    if (version !== "v2" && version !== "v2beta1") return `expected KMSv2 API version v2, got ${version}`;
    return this.#version === undefined || this.#version === version
      ? undefined
      : `KMSv2 API version should not change after the initial status response version ${this.#version}, got ${version}`;
  }

  #unhealthy(why: string): TransformError {
    return new TransformError(`kmsv2 Provider ${this.name} is not healthy, error: ${why}`);
  }

  /** A seed of our own, wrapped by the plugin. */
  async #makeState(expires: number): Promise<WriteState> {
    const { random } = this.#runtime;
    const seed = random.bytes(32);
    const answer = await this.#plugin.encrypt(seed);
    const wrapped = {
      encryptedData: Buffer.of(0),
      keyId: answer.keyId,
      encryptedDekSource: Uint8Array.from(answer.ciphertext),
      annotations: answer.annotations,
      sourceType: dekSource.seed,
    };
    checkEncryptedObject(wrapped);
    return { transformer: createDerivedKeyGcm(seed, random), wrapped, expires };
  }
}

/** Key names may be secrets of their own. */
const hashOf = (keyId: string): string => `sha256:${createHash("sha256").update(keyId).digest("hex")}`;
