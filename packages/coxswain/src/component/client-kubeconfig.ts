import type { KeptAuthority } from "@coxswain/component/certificates";
import { formatKubeconfig } from "@coxswain/component/kubeconfig";
import type { Clock } from "@coxswain/runtime/clock";
import type { RandomSource } from "@coxswain/runtime/random";
import { createClientIdentity, encodePrivateKey } from "@coxswain/wire/x509";

/** Upstream's, for certificates that clocks of several machines check. */
const backdateMs = 5 * 60_000;
const yearMs = 365 * 86_400_000;

export interface ClientKubeconfigOptions {
  readonly clientName: string;
  readonly groups?: readonly string[];
  readonly server: string;
  /** @default a year; never longer than the authority's */
  readonly validityMs?: number;
  readonly clock: Clock;
  readonly random: Pick<RandomSource, "bytes">;
}

/** The text of a kubeconfig with a new client certificate by this authority. */
export function clientKubeconfig(
  { authority, certificate }: KeptAuthority,
  { clientName, groups = [], server, validityMs = yearMs, clock, random }: ClientKubeconfigOptions,
): string {
  const now = clock.now();
  const identity = createClientIdentity(authority, {
    subject: { commonName: clientName, organizations: [...groups] },
    notBefore: now - backdateMs,
    notAfter: Math.min(now + validityMs, authority.certificate.notAfter),
    random,
  });
  return formatKubeconfig({
    server,
    certificateAuthority: certificate,
    clientCertificate: identity.pem,
    clientKey: encodePrivateKey(identity.privateKey),
    user: clientName,
  });
}
