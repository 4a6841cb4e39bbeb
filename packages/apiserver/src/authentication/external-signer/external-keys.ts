import type { Runtime } from "@coxswain/runtime";
import type { Timer } from "@coxswain/runtime/clock";
import { type VerificationKey, verificationKey } from "@coxswain/wire/jwt";
import type { TokenKeys } from "../token-keys.js";
import { whyOf } from "./call-outcome.js";
import type { SignerKeys } from "./read-fetched-keys.js";
import type { SignerMetrics } from "./signer-metrics.js";

/** After a fetch that failed. */
const retryMs = 10_000;

export interface ExternalKeysOptions {
  /** Asks the signer. Rejects when it does not answer, or with nonsense. */
  fetch(): Promise<SignerKeys>;
  readonly runtime: Runtime;
  readonly metrics: Pick<SignerMetrics, "fetched">;
}

export interface ExternalKeys extends Omit<TokenKeys, "sign"> {
  /** Whether a key only serves to know old tokens by; asks the signer again about a key that is not known. */
  isExcluded(id: string): Promise<boolean>;
  stop(): void;
}

/**
 * The signer's keys, fetched again when the time that it gave has passed, and when a token names one that is not known. As long as the
 * signer does not answer, the keys stay. Rejects when they cannot be fetched once.
 */
export async function followExternalKeys({ fetch, runtime, metrics }: ExternalKeysOptions): Promise<ExternalKeys> {
  const { clock, log } = runtime;
  let current: SignerKeys = { keys: [], dataSeconds: 0, refreshSeconds: 0 };
  let refreshAt = 0;
  let publishedKeys: readonly VerificationKey[] = [];
  let fetching: Promise<void> | undefined;
  let timer: Timer | undefined;
  const listeners: (() => void)[] = [];

  /** Callers that ask while keys are being fetched wait for that fetch. */
  const sync = (): Promise<void> => (fetching ??= syncNow().finally(() => (fetching = undefined)));
  async function syncNow(): Promise<void> {
    const before = current;
    try {
      current = await fetch();
    } catch (error) {
      metrics.fetched({ error });
      throw error;
    }
    metrics.fetched({ dataSeconds: current.dataSeconds });
    refreshAt = clock.now() + current.refreshSeconds * 1000;
    if (!haveChanged(before, current)) return;
    publish();
    for (const listener of listeners) listener();
  }
  /** A set with a key that tokens cannot be signed with is not published; the one before it stays. */
  function publish(): void {
    try {
      const published = current.keys
        .filter(({ isExcluded }) => !isExcluded)
        .map(({ id, key }) => ({ ...verificationKey(key), id }));
      if (published.length === 0) throw new Error("no keys provided for validating keyset");
      publishedKeys = published;
    } catch (error) {
      log.error("the published keys of service account tokens stay as they were", { error });
    }
  }
  function schedule(ms: number): void {
    timer = clock.setTimer(ms, () => {
      sync().then(
        () => schedule(Math.max(0, refreshAt - clock.now())),
        (error: unknown) => {
          log.error("keys of service account tokens were not fetched again and stay as they were", {
            error: whyOf(error),
          });
          schedule(retryMs);
        },
      );
    });
  }
  const named = (wanted: string): SignerKeys["keys"] =>
    wanted === "" ? current.keys : current.keys.filter(({ id }) => id === wanted);
  async function findAgain(id: string): Promise<SignerKeys["keys"]> {
    try {
      await sync();
    } catch (error) {
      log.error("keys of service account tokens were not fetched", { error: whyOf(error) });
      return [];
    }
    return named(id);
  }
  const find = (id: string): SignerKeys["keys"] | Promise<SignerKeys["keys"]> => {
    const found = named(id);
    return found.length > 0 ? found : findAgain(id);
  };

  await sync();
  schedule(current.refreshSeconds * 1000);
  return {
    find,
    isExcluded: async (id) => (await find(id)).some((key) => key.isExcluded),
    published: () => publishedKeys,
    maxAgeSeconds: () => Math.max(0, Math.floor((refreshAt - clock.now()) / 1000)),
    onReplaced: (listener) => void listeners.push(listener),
    stop: () => timer?.cancel(),
  };
}

/** Compared by the signer's time, or by names and order: keys of the same name are taken to be the same. */
const haveChanged = (a: SignerKeys, b: SignerKeys): boolean =>
  a.dataSeconds !== b.dataSeconds ||
  a.keys.length !== b.keys.length ||
  a.keys.some(({ id, isExcluded }, at) => id !== b.keys[at]?.id || isExcluded !== b.keys[at].isExcluded);
