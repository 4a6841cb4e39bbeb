import type { RandomSource } from "@coxswain/runtime/random";
import { createAesGcm } from "../aes.js";
import { createDerivedKeyGcm } from "../derived-key-gcm.js";
import { TransformError, type Transformer } from "../transformer.js";
import { cacheKeyOf } from "./encrypted-object.js";
import type { KmsPlugin } from "./kms-plugin.js";
import { dekSource, type EncryptedObject } from "./rpc.js";

/** Seeds in use are a handful; this bounds what somebody could fill the memory with. */
const maxCachedKeys = 4096;

/** What values' keys were made from, unwrapped by the plugin: asked once for all values that share it. */
export class UnwrappedKeys {
  readonly #plugin: Pick<KmsPlugin, "decrypt">;
  readonly #random: RandomSource;
  readonly #known = new Map<string, Transformer | Promise<Transformer>>();

  constructor(plugin: Pick<KmsPlugin, "decrypt">, random: RandomSource) {
    this.#plugin = plugin;
    this.#random = random;
  }

  remember(key: string, transformer: Transformer | Promise<Transformer>): void {
    if (this.#known.size >= maxCachedKeys) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(key, transformer);
  }

  transformerFor(found: EncryptedObject): Transformer | Promise<Transformer> {
    const key = cacheKeyOf(found);
    const known = this.#known.get(key);
    if (known) return known;
    const unwrapping = this.#unwrap(found).then(
      (transformer) => {
        this.remember(key, transformer);
        return transformer;
      },
      (error: unknown) => {
        this.#known.delete(key);
        throw error;
      },
    );
    this.remember(key, unwrapping);
    return unwrapping;
  }

  async #unwrap(found: EncryptedObject): Promise<Transformer> {
    const { plaintext } = await this.#plugin.decrypt(found).catch((error: unknown) => {
      throw new TransformError(`failed to decrypt DEK, error: ${(error as Error).message}`, { cause: error });
    });
    const key = Uint8Array.from(plaintext);
    if (found.sourceType === dekSource.key && ![16, 24, 32].includes(key.length))
      throw new TransformError(`crypto/aes: invalid key size ${key.length}`);
    return found.sourceType === dekSource.seed
      ? createDerivedKeyGcm(key, this.#random)
      : createAesGcm(key, this.#random);
  }
}
