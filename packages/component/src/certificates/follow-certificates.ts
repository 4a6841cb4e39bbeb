import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Clock, Timer } from "@coxswain/runtime/clock";
import type { Logger } from "@coxswain/runtime/log";
import { watchFiles } from "../files/index.js";
import { type ClusterCertificates, type EnsureCertificatesOptions, ensureCertificates } from "./ensure-certificates.js";

export interface FollowCertificatesOptions extends EnsureCertificatesOptions {
  /** A real one. */
  readonly clock: Clock;
  readonly log: Pick<Logger, "info" | "warn">;
}

/** What is due is renewed within this time. Timers of Node go up to 24 days. */
const checkEveryMs = 86_400_000;
/** Who replaces files writes a key and a certificate: they are looked at when both are there. */
const settleMs = 500;

const names = ["ca", "front-proxy-ca", "apiserver", "admin", "apiserver-kubelet-client", "front-proxy-client"];

/**
 * Renews the certificates of a cluster's folder while its server runs, a month before they end, and takes up those that somebody else
 * (`coxswain certs`) replaced. What cannot be used is logged, and the old ones stay.
 */
export function followCertificates(
  directory: string,
  options: FollowCertificatesOptions,
  { current, use }: { current: ClusterCertificates; use: (certificates: ClusterCertificates) => void },
): { stop(): void } {
  const { clock, log } = options;
  let known = textOf(current);
  let timer: Timer | undefined;
  let settling: Timer | undefined;

  function look(): void {
    settling = undefined;
    timer?.cancel();
    timer = clock.setTimer(checkEveryMs, look);
    // Deleted while the server runs, so that no keys stay behind (envtest does): nothing is made in its place.
    if (!existsSync(directory)) return;
    try {
      const next = ensureCertificates(directory, options);
      const text = textOf(next);
      if (text === known) return;
      use(next);
      known = text;
      log.info("new certificates are in use", { made: next.made.join(",") });
    } catch (error) {
      log.warn("the certificates of the data directory cannot be used; the old ones stay", { error });
    }
  }

  timer = clock.setTimer(checkEveryMs, look);
  const files = names.flatMap((name) => [join(directory, "pki", `${name}.crt`), join(directory, "pki", `${name}.key`)]);
  const watched = watchFiles(files, () => {
    settling ??= clock.setTimer(settleMs, look);
  });
  return {
    stop() {
      watched.stop();
      timer?.cancel();
      settling?.cancel();
    },
  };
}

const textOf = ({ ca, frontProxyCa, server, admin, kubeletClient, frontProxyClient }: ClusterCertificates): string =>
  [ca, frontProxyCa, server, admin, kubeletClient, frontProxyClient]
    .map(({ certificate, key }) => `${certificate}${key}`)
    .join("");
