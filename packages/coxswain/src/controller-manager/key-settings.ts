import { type ControllerSettings, type SignerName, signerNames } from "@coxswain/controllers";
import { signingKey, signToken } from "@coxswain/wire/jwt";
import { type AuthoritySource, followingSigner } from "./following-signer.js";

type KeySettings = Pick<ControllerSettings, "signServiceAccountToken" | "certificateSigning">;

/** What controllers sign with these keys: tokens of service accounts, and certificates by signer. */
export function keySettings(keys: {
  readonly serviceAccountKey?: string | undefined;
  readonly authorities: Readonly<Partial<Record<SignerName, AuthoritySource>>>;
  /** In milliseconds. */
  readonly certificateDurationMs?: number | undefined;
}): KeySettings {
  const { serviceAccountKey, authorities, certificateDurationMs } = keys;
  const key = serviceAccountKey === undefined ? undefined : signingKey(serviceAccountKey);
  const signers = Object.fromEntries(
    Object.entries(authorities).map(([name, authority]) => [name, followingSigner(authority)]),
  );
  return {
    ...(key && { signServiceAccountToken: (claims: Readonly<Record<string, unknown>>) => signToken(claims, key) }),
    ...(Object.keys(signers).length > 0 && {
      certificateSigning: {
        signers,
        ...(certificateDurationMs !== undefined && { durationMs: certificateDurationMs }),
      },
    }),
  };
}

/** One authority for every signer of Kubernetes. */
export const forAllSigners = (authority: AuthoritySource): Record<SignerName, AuthoritySource> =>
  Object.fromEntries(signerNames.map((name) => [name, authority])) as Record<SignerName, AuthoritySource>;
