import type { Runtime } from "@coxswain/runtime";
import { slept } from "@coxswain/runtime/wait";
import { readCertificates } from "@coxswain/wire/x509";
import type { EarlyRenewal } from "./early-renewal.js";
import type { CertificatePair } from "./request-certificate.js";
import { rotationDeadline } from "./rotation-deadline.js";

export interface KeptCertificate {
  /** For the log: "client certificate". */
  readonly what: string;
  readonly nodeName: string;
  /** In PEM; empty: there is none yet. */
  current(): string;
  request(signal: AbortSignal): Promise<CertificatePair>;
  replace(pair: CertificatePair): void;
  readonly early: EarlyRenewal;
  /** A request was denied or not answered; it is tried again. */
  failed?(): void;
}

/** Milliseconds until a request that failed is tried again: upstream's back-off grows from two seconds to two minutes. */
const [firstRetryMs, maxRetryMs] = [2000, 120_000];

/** Milliseconds between two certificates, at least. */
const minimumMs = 1000;

/** Asks for a certificate where there is none, and for the next one before it ends or when it is asked to. Resolves when the signal aborts. */
export async function keepCertificate(runtime: Runtime, kept: KeptCertificate, signal: AbortSignal): Promise<void> {
  const { ioClock: clock, log, random } = runtime;
  const { what, nodeName, early } = kept;
  for (let retryMs = firstRetryMs; !signal.aborted; )
    try {
      const [leaf] = readCertificates(kept.current());
      const dueMs = leaf ? rotationDeadline(leaf, random) - clock.now() : 0;
      if (!early.isDue) await slept(Math.max(0, dueMs), { clock, signal: AbortSignal.any([signal, early.signal]) });
      // Shorter than they are backdated, certificates are due at once: they are not asked for in a loop.
      await slept(kept.current() === "" ? 0 : minimumMs, { clock, signal });
      signal.throwIfAborted();
      early.begin();
      kept.replace(await kept.request(signal));
      retryMs = firstRetryMs;
      log.info(`the node has a new ${what}`, { node: nodeName });
    } catch (error) {
      if (signal.aborted) return;
      kept.failed?.();
      log.warn(`the node's ${what} could not be renewed and is tried again`, { node: nodeName, error });
      await slept(retryMs, { clock, signal }); // the loop ends with the signal
      retryMs = Math.min(2 * retryMs, maxRetryMs);
    }
}
