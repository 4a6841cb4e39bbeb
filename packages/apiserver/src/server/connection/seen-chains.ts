import { type Certificate, fingerprint } from "@coxswain/wire/x509";

/** Chains in the cache: more clients of intermediate authorities than these need a full TLS handshake again. */
const maxChains = 10_000;

/**
 * The chains that clients sent with their certificates. A resumed TLS session knows the client's certificate only (RFC 5077 and
 * RFC 8446 leave to the server what a ticket holds; OpenSSL leaves the rest of the chain out), so without this a certificate of an
 * intermediate authority would count on the first connection and not on the next.
 */
export class SeenChains {
  /** By the fingerprint of the client's certificate, the latest used last. */
  readonly #chains = new Map<string, readonly Certificate[]>();
  readonly #most: number;

  constructor(most = maxChains) {
    this.#most = most;
  }

  /** Of a full handshake whose chain TLS has found good. Authorities that sign themselves need no remembering: the server knows those that count. */
  note(leaf: Certificate, chain: readonly Certificate[]): void {
    if (chain.every(({ subjectBytes, issuerBytes }) => subjectBytes.equals(issuerBytes))) return;
    const key = fingerprint(leaf);
    this.#chains.delete(key);
    this.#chains.set(key, chain);
    if (this.#chains.size > this.#most) this.#chains.delete(this.#chains.keys().next().value as string);
  }

  /** What was sent with the certificate before; nothing, if that is not known. */
  of(leaf: Certificate): readonly Certificate[] {
    return this.#chains.get(fingerprint(leaf)) ?? [];
  }
}
