import { createPrivateKey, X509Certificate } from "node:crypto";
import type { Clock } from "@coxswain/runtime/clock";
import type { Pem } from "../../kubeconfig/index.js";
import type { Identity, IdentitySource } from "./identity.js";
import { watchFile } from "./watched-file.js";

/** client-go looks for new client certificates and authorities this often. */
const usualPeriodMs = 5 * 60_000;

export interface PemOptions {
  readonly clock: Clock;
  /** How long what was read of a file counts, in milliseconds. @default five minutes */
  readonly periodMs?: number | undefined;
}

/** PEM text, read again from its file where it is in one. */
export function pemSource(pem: Pem, { clock, periodMs = usualPeriodMs }: PemOptions): () => string | Promise<string> {
  if ("data" in pem) return () => pem.data;
  const file = watchFile(pem.file, { clock, periodMs });
  return () => file.current();
}

/**
 * A client certificate; connections made with an old one are let go when its files change. A certificate without its own key is in the
 * middle of being replaced: the last pair goes on.
 */
export function certificateIdentity({ cert, key }: { cert: Pem; key: Pem }, options: PemOptions): IdentitySource {
  const readCert = pemSource(cert, options);
  const readKey = pemSource(key, options);
  let last: Identity | undefined;
  return {
    async current() {
      const certificate = { cert: await readCert(), key: await readKey() };
      const isKnown = last?.certificate?.cert === certificate.cert && last.certificate.key === certificate.key;
      if (last === undefined || (!isKnown && isPair(certificate))) last = { headers: {}, certificate };
      return last;
    },
  };
}

function isPair({ cert, key }: { readonly cert: string; readonly key: string }): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false; // one of them is written in part
  }
}
