import { createHash } from "node:crypto";
import type { Clock, Timer } from "@coxswain/runtime/clock";
import type { RandomSource } from "@coxswain/runtime/random";
import { createGrpcClient } from "@coxswain/wire/grpc";
import { createAesGcm } from "../aes.js";
import { createDerivedKeyGcm } from "../derived-key-gcm.js";
import { TransformError, type Transformer } from "../transformer.js";
import {
  cacheKeyOf,
  checkEncryptedObject,
  checkKeyId,
  readEncryptedObject,
  writeEncryptedObject,
} from "./encrypted-object.js";
import { dekSource, type EncryptedObject, kms } from "./rpc.js";

export interface KmsProviderOptions {
  readonly name: string;
  /** `unix:///path/to/plugin.sock` */
  readonly endpoint: string;
  /** Of one call. @default 3000 */
  readonly timeoutMs?: number;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly warn?: (message: string, fields: Readonly<Record<string, unknown>>) => void;
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
/** Seeds in use are a handful; this bounds what somebody could fill the memory with. */
const maxCachedKeys = 4096;

/** With which new values are written. */
interface WriteState {
  readonly transformer: Transformer;
  /** Without data; goes with every value. */
  readonly wrapped: EncryptedObject;
  expires: number;
}

/** Resolves after the plugin was asked once; one that does not answer yet is asked on, and reads and writes fail until it does. */
export async function startKmsProvider(options: KmsProviderOptions): Promise<KmsProvider> {
  const { name, clock, random, timeoutMs = 3000, warn = () => {} } = options;
  const grpc = createGrpcClient({
    endpoints: [options.endpoint],
    clock,
    random,
    baseBackoffMs: 100,
    maxBackoffMs: 2000,
  });
  const call = { timeoutMs, patient: true } as const;
  const cache = new Map<string, Transformer | Promise<Transformer>>();
  let state: WriteState | undefined;
  let version: string | undefined;
  let timer: Timer | undefined;
  let closed = false;

  const remember = (key: string, transformer: Transformer | Promise<Transformer>): void => {
    if (cache.size >= maxCachedKeys) cache.delete(cache.keys().next().value!);
    cache.set(key, transformer);
  };
  /** A seed of our own, wrapped by the plugin. */
  const makeState = async (expires: number): Promise<WriteState> => {
    const seed = random.bytes(32);
    const answer = await grpc.unary(kms.encrypt, { plaintext: seed, uid: uid(random) }, call);
    const wrapped = {
      encryptedData: Buffer.of(0),
      keyId: answer.keyId,
      encryptedDekSource: Uint8Array.from(answer.ciphertext),
      annotations: answer.annotations,
      sourceType: dekSource.seed,
    };
    checkEncryptedObject(wrapped);
    return { transformer: createDerivedKeyGcm(seed, random), wrapped, expires };
  };
  const check = async (): Promise<void> => {
    // Counted from before the call: the plugin's answer may be older than its arrival.
    const expires = clock.monotonic() + seedLifetimeMs;
    const status = await grpc.unary(kms.status, {}, call);
    if (status.healthz !== "ok")
      throw new TransformError(
        `kmsv2 Provider ${name} is not healthy, error: got unexpected healthz status: ${status.healthz}`,
      );
    if (status.version !== "v2" && status.version !== "v2beta1")
      throw new TransformError(
        `kmsv2 Provider ${name} is not healthy, error: expected KMSv2 API version v2, got ${status.version}`,
      );
    version ??= status.version;
    if (version !== status.version)
      throw new TransformError(
        `kmsv2 Provider ${name} is not healthy, error: KMSv2 API version should not change after the initial status response version ${version}, got ${status.version}`,
      );
    checkKeyId(status.keyId);
    if (state?.wrapped.keyId === status.keyId) {
      state.expires = expires;
      return;
    }
    const next = await makeState(expires);
    if (next.wrapped.keyId !== status.keyId)
      throw new TransformError(
        `kmsv2 Provider ${name} is not healthy, error: it names the key ${hashOf(status.keyId)} but encrypts with ${hashOf(next.wrapped.keyId)}`,
      );
    state = next;
    remember(cacheKeyOf(next.wrapped), next.transformer);
  };
  const watchOver = async (): Promise<void> => {
    let healthy = true;
    try {
      await check();
    } catch (error) {
      healthy = false;
      if (!closed) warn("A key management plugin is not well", { name, error });
    }
    if (!closed) timer = clock.setTimer(healthy ? healthyIntervalMs : unhealthyIntervalMs, () => void watchOver());
  };
  const current = (): WriteState => {
    if (!state) throw new TransformError(`the key management plugin ${name} has not answered yet`);
    return state;
  };
  /** Unwraps what a value's key was made from; asked once for all values that share it. */
  const unwrap = async (found: EncryptedObject): Promise<Transformer> => {
    const { plaintext } = await grpc
      .unary(
        kms.decrypt,
        { ciphertext: found.encryptedDekSource, uid: uid(random), keyId: found.keyId, annotations: found.annotations },
        call,
      )
      .catch((error: unknown) => {
        throw new TransformError(`failed to decrypt DEK, error: ${(error as Error).message}`, { cause: error });
      });
    const key = Uint8Array.from(plaintext);
    if (found.sourceType === dekSource.key && ![16, 24, 32].includes(key.length))
      throw new TransformError(`crypto/aes: invalid key size ${key.length}`);
    return found.sourceType === dekSource.seed ? createDerivedKeyGcm(key, random) : createAesGcm(key, random);
  };
  const transformerFor = (found: EncryptedObject): Transformer | Promise<Transformer> => {
    const key = cacheKeyOf(found);
    const known = cache.get(key);
    if (known) return known;
    const unwrapping = unwrap(found).then(
      (transformer) => {
        remember(key, transformer);
        return transformer;
      },
      (error: unknown) => {
        cache.delete(key);
        throw error;
      },
    );
    remember(key, unwrapping);
    return unwrapping;
  };

  await watchOver();
  return {
    name,
    check,
    read(kept, context) {
      const found = readEncryptedObject(kept);
      const { wrapped } = current();
      const stale = found.keyId !== wrapped.keyId || found.sourceType !== wrapped.sourceType;
      const open = (transformer: Transformer) => ({
        value: (transformer.read(found.encryptedData, context) as { value: Uint8Array }).value,
        stale,
      });
      const transformer = transformerFor(found);
      return transformer instanceof Promise ? transformer.then(open) : open(transformer);
    },
    write(value, context) {
      const { transformer, wrapped, expires } = current();
      if (clock.monotonic() > expires)
        throw new TransformError(
          `the key management plugin ${name} has not confirmed the key ${hashOf(wrapped.keyId)} for ${seedLifetimeMs / 60_000} minutes: nothing is written with it until it does`,
        );
      return writeEncryptedObject({ ...wrapped, encryptedData: transformer.write(value, context) as Uint8Array });
    },
    close() {
      closed = true;
      timer?.cancel();
      return grpc.close();
    },
  };
}

/** Key names may be secrets of their own. */
const hashOf = (keyId: string): string => `sha256:${createHash("sha256").update(keyId).digest("hex")}`;

/** A random UUID, for the plugin's log. */
function uid(random: RandomSource): string {
  const hex = Buffer.from(random.bytes(16)).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}
