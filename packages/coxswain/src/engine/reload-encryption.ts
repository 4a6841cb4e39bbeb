import type { GroupResource } from "@coxswain/apimachinery/meta";
import type { ReloadMetrics } from "@coxswain/apiserver";
import type { Runtime } from "@coxswain/runtime";
import type { Timer } from "@coxswain/runtime/clock";
import type { Encryption } from "@coxswain/storage/encryption";

/** The configuration of a file, in use, and its text. */
export interface LoadedEncryption {
  readonly encryption: Encryption;
  readonly text: string;
  /** Those that the file names; `*` stands for all of a group. */
  readonly resources: readonly GroupResource[];
}

export interface ReloadOptions {
  /** What the server has started with. */
  readonly first: LoadedEncryption;
  /** The file as it is now; undefined when its text is still `known`. Rejects when it cannot be used. */
  readonly load: (known: string) => Promise<LoadedEncryption | undefined>;
  readonly runtime: Runtime;
  readonly metrics: ReloadMetrics;
}

/** What was encrypted or decrypted with the old keys may still be on its way; as long as upstream waits at least (k8s.io/apiserver/pkg/server/options/encryptionconfig/config.go, kmsCloseGracePeriod). */
const closeGraceMs = 10_000;
const firstRetryMs = 1_000;
const lastRetryMs = 60_000;

/**
 * The encryption in force. `reload()` puts the file's in its place if that can be used and its plugins are well; until then, and
 * for good when the file is wrong, the last one stays. A failed try is made again later, and at the next call.
 */
export class ReloadingEncryption {
  readonly #options: ReloadOptions;
  #current: LoadedEncryption;
  /** Those that have been replaced and are still open. */
  readonly #old = new Map<Encryption, Timer>();
  #running: Promise<void> | undefined;
  #again = false;
  #retry: Timer | undefined;
  #retryMs = firstRetryMs;
  #closed = false;

  constructor(options: ReloadOptions) {
    this.#options = options;
    this.#current = options.first;
    options.metrics.read(options.first.text);
  }

  get current(): Encryption {
    return this.#current.encryption;
  }

  /** Resolves when the file has been looked at, whatever came of it. One that changes meanwhile is looked at again. */
  reload(): Promise<void> {
    this.#again = true;
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
    return this.#running;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#retry?.cancel();
    await this.#running;
    for (const timer of this.#old.values()) timer.cancel();
    await Promise.all([this.current, ...this.#old.keys()].map((one) => one.close()));
  }

  async #run(): Promise<void> {
    while (this.#again && !this.#closed) {
      this.#again = false;
      this.#retry?.cancel();
      try {
        await this.#take();
        this.#retryMs = firstRetryMs;
      } catch (error) {
        this.#options.metrics.failed();
        this.#options.runtime.log.warn("the encryption configuration was not reloaded; the last one stays in force", {
          error,
          retryMs: this.#retryMs,
        });
        this.#retry = this.#options.runtime.clock.setTimer(this.#retryMs, () => void this.reload());
        this.#retryMs = Math.min(this.#retryMs * 2, lastRetryMs);
      }
    }
  }

  async #take(): Promise<void> {
    const { load, metrics, runtime } = this.#options;
    const { log, clock } = runtime;
    const next = await load(this.#current.text);
    if (next === undefined) return;
    try {
      await next.encryption.check();
    } catch (error) {
      await next.encryption.close();
      throw error;
    }
    const unreadable = await unreadableAfter(this.#current, next);
    if (unreadable.length > 0)
      log.warn("the new encryption configuration cannot read what was written with the last one", {
        resources: unreadable,
      });
    const old = this.current;
    this.#current = next;
    metrics.reloaded(next.text);
    log.info("the encryption configuration was reloaded");
    const close = (): void => {
      this.#old.delete(old);
      old
        .close()
        .catch((error: unknown) => log.warn("an encryption that is no longer used could not be closed", { error }));
    };
    this.#old.set(old, clock.setTimer(closeGraceMs, close));
  }
}

/**
 * Resources whose values, as the last configuration writes them, the next one does not read: a key that was replaced under its name,
 * or removed too early. Upstream takes such a file without a word, and so does this server but for a line in its log: the values may
 * be gone, or meant to be.
 */
async function unreadableAfter(last: LoadedEncryption, next: LoadedEncryption): Promise<string[]> {
  const probe = Buffer.from("k8s-probe");
  const unreadable: string[] = [];
  for (const resource of last.resources) {
    try {
      const kept = await last.encryption.transformerFor(resource).write(probe, probe);
      const { value } = await next.encryption.transformerFor(resource).read(kept, probe);
      if (probe.equals(value)) continue;
    } catch {
      // not read: that is the answer
    }
    unreadable.push(resource.group === "" ? resource.resource : `${resource.resource}.${resource.group}`);
  }
  return unreadable;
}
