import { createRequestSigner } from "@coxswain/component/certificates";
import { type ControllerSettings, type SignerName, signerNames } from "@coxswain/controllers";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { signingKey, signToken } from "@coxswain/wire/jwt";

/** A certificate of an authority and its key, PEM-encoded. */
export interface SigningAuthority {
  readonly certificate: string;
  readonly key: string;
}

type KeySettings = Pick<ControllerSettings, "signServiceAccountToken" | "certificateSigning">;

/** What controllers sign with these keys: tokens of service accounts, and certificates by signer. */
export function keySettings(keys: {
  readonly serviceAccountKey?: string | undefined;
  readonly authorities: Readonly<Partial<Record<SignerName, SigningAuthority>>>;
  /** In milliseconds. */
  readonly certificateDurationMs?: number | undefined;
}): KeySettings {
  const { serviceAccountKey, authorities, certificateDurationMs } = keys;
  const key = serviceAccountKey === undefined ? undefined : signingKey(serviceAccountKey);
  const signers = Object.fromEntries(
    Object.entries(authorities).map(([name, authority]) => [
      name,
      createRequestSigner({ ...authority, clock: systemClock, random: systemRandom }),
    ]),
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
export const forAllSigners = (authority: SigningAuthority): Record<SignerName, SigningAuthority> =>
  Object.fromEntries(signerNames.map((name) => [name, authority])) as Record<SignerName, SigningAuthority>;
