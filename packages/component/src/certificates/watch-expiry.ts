import type { Clock, Timer } from "@coxswain/runtime/clock";
import type { Logger } from "@coxswain/runtime/log";
import type { Metrics } from "@coxswain/runtime/metrics";
import { type Certificate, fingerprint, readCertificates } from "@coxswain/wire/x509";

/** Whose certificates there are, by what they are for: a PEM bundle each. */
export type CertificateUses = Readonly<Record<string, string>>;

export interface ExpiryWatch {
  /** From now on these. Those that stay the same are not logged again. */
  set(uses: CertificateUses): void;
  stop(): void;
}

export interface ExpiryWatchOptions {
  readonly clock: Clock;
  readonly log: Pick<Logger, "warn" | "error">;
  readonly metrics: Metrics;
}

/** A month before its end somebody should have replaced it. */
const warnMs = 30 * 86_400_000;
/** Timers of Node go up to 24 days; a clock that was set is noticed within this time. */
const longestWaitMs = 86_400_000;

type Stage = "valid" | "expires-soon" | "expired";

/**
 * Logs one line a month before a certificate expires and one when it has, and has the time of it as a metric. Upstream has neither for
 * the server's own certificates: `apiserver_client_certificate_expiration_seconds` is about those that clients show.
 */
export function watchExpiry({ clock, log, metrics }: ExpiryWatchOptions): ExpiryWatch {
  let watched: readonly { readonly use: string; readonly certificate: Certificate }[] = [];
  let logged = new Map<string, Stage>();
  let timer: Timer | undefined;
  metrics.collectGauge(
    {
      name: "coxswain_certificate_expiration_timestamp_seconds",
      help: "When a certificate of this server expires, by what it is for.",
      labels: ["use", "subject", "fingerprint"],
      stability: "ALPHA",
    },
    (report) => {
      const seen = new Set<string>();
      for (const { use, certificate } of watched) {
        const key = keyOf(use, certificate);
        if (!seen.has(key))
          report(certificate.notAfter / 1000, use, certificate.subject.commonName ?? "", fingerprint(certificate));
        seen.add(key);
      }
    },
  );

  function look(): void {
    timer?.cancel();
    const now = clock.now();
    const stages = new Map<string, Stage>();
    for (const { use, certificate } of watched) {
      const key = keyOf(use, certificate);
      const stage = stageOf(certificate, now);
      if (stage !== (stages.get(key) ?? logged.get(key))) report(stage, use, certificate);
      stages.set(key, stage);
    }
    logged = stages;
    const ahead = watched
      .flatMap(({ certificate: { notAfter } }) => [notAfter - warnMs, notAfter + 1])
      .filter((at) => at > now);
    if (ahead.length === 0) return;
    const next = ahead.reduce((first, at) => Math.min(first, at));
    timer = clock.setTimer(Math.min(longestWaitMs, next - now), look);
  }

  function report(stage: Stage, use: string, { subject, notAfter, serialNumber }: Certificate): void {
    const fields = { use, subject: subject.commonName, serialNumber, notAfter: new Date(notAfter).toISOString() };
    if (stage === "expires-soon") log.warn("a certificate of this server expires soon", fields);
    if (stage === "expired") log.error("a certificate of this server has expired", fields);
  }

  return {
    set(uses) {
      watched = Object.entries(uses).flatMap(([use, pem]) =>
        readCertificates(pem).map((certificate) => ({ use, certificate })),
      );
      look();
    },
    stop: () => timer?.cancel(),
  };
}

const keyOf = (use: string, certificate: Certificate): string => `${use} ${fingerprint(certificate)}`;

/** Both ends belong to the validity. */
const stageOf = ({ notAfter }: Certificate, now: number): Stage =>
  now > notAfter ? "expired" : now >= notAfter - warnMs ? "expires-soon" : "valid";
