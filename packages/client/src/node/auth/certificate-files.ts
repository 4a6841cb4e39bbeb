import type { Clock } from "@coxswain/runtime/clock";
import type { Pem } from "../../kubeconfig/index.js";
import type { Identity, IdentitySource } from "./identity.js";
import { watchFile } from "./watched-file.js";

/** client-go looks for new client certificates and authorities this often. */
const periodMs = 5 * 60_000;

/** PEM text, read again from its file where it is in one. */
export function pemSource(pem: Pem, { clock }: { clock: Clock }): () => string | Promise<string> {
  if ("data" in pem) return () => pem.data;
  const file = watchFile(pem.file, { clock, periodMs });
  return () => file.current();
}

/** A client certificate; connections made with an old one are let go when its files change. */
export function certificateIdentity({ cert, key }: { cert: Pem; key: Pem }, options: { clock: Clock }): IdentitySource {
  const readCert = pemSource(cert, options);
  const readKey = pemSource(key, options);
  let last: Identity | undefined;
  return {
    async current() {
      const certificate = { cert: await readCert(), key: await readKey() };
      if (last?.certificate?.cert !== certificate.cert || last.certificate.key !== certificate.key)
        last = { headers: {}, certificate };
      return last;
    },
  };
}
