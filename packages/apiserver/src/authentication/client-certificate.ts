import type { Clock } from "@coxswain/runtime/clock";
import { attributeValues } from "@coxswain/wire/x509";
import type { ClientCertificate } from "../request/request.js";
import type { AuthenticationMetrics } from "./authentication-metrics.js";
import type { Authenticator, Verdict } from "./authenticator.js";
import type { CertificateTrust } from "./certificate-trust.js";

/** Kubernetes' own attribute of a subject, for the uid of a user. */
const uidAttribute = "1.3.6.1.4.1.57683.2";

/**
 * A client certificate names its user as CN and the groups as O. One that no authority vouches for is an error and not a
 * reason to take its bearer for anonymous.
 */
export const createCertificateAuthenticator =
  (
    trust: CertificateTrust,
    {
      clock,
      certificateLeft,
    }: { clock: Pick<Clock, "now">; certificateLeft: AuthenticationMetrics["certificateLeft"] },
  ): Authenticator =>
  ({ caller }) => {
    if (caller.via !== "socket" || !caller.certificate) return undefined;
    if (caller.certificate.leaf) certificateLeft((caller.certificate.leaf.notAfter - clock.now()) / 1000);
    const error = trust.problemOf(caller.certificate);
    if (error !== undefined) return { error };
    let verdict = verdicts.get(caller.certificate);
    if (!verdict) verdicts.set(caller.certificate, (verdict = { result: userOf(caller.certificate) }));
    return verdict.result;
  };

/** A certificate is read once for all requests of its connection. */
const verdicts = new WeakMap<ClientCertificate, { readonly result: Verdict | undefined }>();

function userOf({ leaf, fingerprint }: ClientCertificate): Verdict | undefined {
  if (!leaf || leaf.subject.commonName === "") return undefined;
  const uids = attributeValues(leaf.subject, uidAttribute);
  if (uids.length > 1) return { error: `expected 1 UID, but found multiple: [${uids.join(" ")}]` };
  if (uids[0] === "") return { error: "UID cannot be an empty string" };
  return {
    user: {
      name: leaf.subject.commonName,
      ...(uids[0] === undefined ? {} : { uid: uids[0] }),
      groups: leaf.subject.organizations,
      extra: { "authentication.kubernetes.io/credential-id": [`X509SHA256=${fingerprint}`] },
    },
  };
}
