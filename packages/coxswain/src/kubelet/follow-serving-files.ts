import { readFileSync } from "node:fs";
import { watchFiles } from "@coxswain/component/files";
import type { Logger } from "@coxswain/runtime/log";

export interface ServingFiles {
  /** Of authorities of clients. */
  readonly clientCa: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

/** What of the files a node's server uses: undefined for a file that is not named. */
export interface ServingTexts {
  readonly clientAuthority: string | undefined;
  readonly pair: { readonly certificate: string; readonly key: string } | undefined;
}

/** Calls with what the files hold whenever one of them is replaced (pkg/kubelet/server and pkg/kubelet/certificate follow theirs, too). */
export function followServingFiles(
  { clientCa, certificate, key }: ServingFiles,
  { log, use }: { readonly log: Pick<Logger, "warn" | "info">; use(texts: ServingTexts): void },
): { stop(): void } {
  const read = (file: string): string => readFileSync(file, "utf8");
  return watchFiles(
    [clientCa, certificate, key].filter((file) => file !== undefined),
    () => {
      try {
        const pair = certificate !== undefined && key !== undefined;
        use({
          clientAuthority: clientCa === undefined ? undefined : read(clientCa),
          pair: pair ? { certificate: read(certificate), key: read(key) } : undefined,
        });
        log.info("the kubelet's server uses new certificates");
      } catch (error) {
        // A certificate without its own key is in the middle of being replaced; the second of its files wakes this again.
        log.warn("the certificates of the kubelet's server cannot be used yet; the old ones stay", { error });
      }
    },
  );
}
