import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Runtime, systemRuntime } from "@coxswain/runtime";
import { runEvery } from "@coxswain/runtime/wait";
import type { CertificateSource, ServingCertificate } from "../serving/index.js";

export interface CertificateFilesOptions {
  /** The folder in which both are: a mounted Secret. */
  readonly directory: string;
  /** @default "tls.crt" */
  readonly certificateName?: string;
  /** @default "tls.key" */
  readonly keyName?: string;
  /** @default 10,000, as certwatcher's */
  readonly intervalMs?: number;
  /** A pair that could not be read; the last good one is served on. */
  readonly onError?: (error: unknown) => void;
  /** Files are looked at by its `ioClock`. @default systemRuntime() */
  readonly runtime?: Runtime;
}

/**
 * A certificate and its key from files, read again while they are served. Both are looked at every few seconds: what a mounted Secret
 * changes is a link, which does not notify on every file system.
 */
export function certificateFiles(options: CertificateFilesOptions): CertificateSource {
  const {
    directory,
    certificateName = "tls.crt",
    keyName = "tls.key",
    intervalMs = 10_000,
    runtime = systemRuntime(),
  } = options;
  const { onError = () => {} } = options;
  const current = async (): Promise<ServingCertificate> => {
    const [certificate, key] = await Promise.all(
      [certificateName, keyName].map((name) => readFile(join(directory, name), "utf8")),
    );
    return { certificate: certificate as string, key: key as string };
  };
  return {
    current,
    watch(changed, signal) {
      let known: string | undefined;
      const look = async (): Promise<void> => {
        const pair = await current();
        const text = pair.certificate + pair.key;
        // Two halves that do not belong together are refused by `changed`, and looked at again.
        if (known !== undefined && known !== text) changed(pair);
        known = text;
      };
      void runEvery(look, { intervalMs, clock: runtime.ioClock, signal, onError });
    },
  };
}
