import { isSignedBy, readCertificates } from "@coxswain/wire/x509";

/**
 * Pure: whether the certificate should be signed anew although it has not ended: another authority than the first one of the bundle has
 * signed it. The one that signs comes first while an authority is being replaced. One that none of them signed is somebody else's.
 */
export function isSignedByFormer(pem: string, bundle: string): boolean {
  const [leaf] = readCertificates(pem);
  const [first, ...others] = readCertificates(bundle);
  if (!leaf || !first || isSignedBy(leaf, first)) return false;
  return others.some((one) => isSignedBy(leaf, one));
}

/** Ends the wait for a certificate's renewal before its time. */
export class EarlyRenewal {
  #isDue = false;
  #wait = new AbortController();

  ask(): void {
    this.#isDue = true;
    this.#wait.abort();
  }

  /** Aborted when somebody asks; at once, where somebody has since `begin`. */
  get signal(): AbortSignal {
    return this.#wait.signal;
  }

  get isDue(): boolean {
    return this.#isDue;
  }

  /** The renewal begins: what is asked for from now on concerns the next one. */
  begin(): void {
    this.#isDue = false;
    this.#wait = new AbortController();
  }
}
