import type { Soon } from "@coxswain/runtime/soon";
import {
  type JwtClaims,
  type PublishedKey,
  type SigningKey,
  signToken,
  type VerificationKey,
} from "@coxswain/wire/jwt";

/** Who signs tokens of service accounts, and the keys that they are known by. */
export interface TokenKeys {
  /** A token in its compact form. Rejects when nobody signs it. */
  sign(claims: JwtClaims): Soon<string>;
  /** The keys that go by this name; "": all. None: no key does, or the keys cannot be asked for. */
  find(id: string): Soon<readonly PublishedKey[]>;
  /** What is published for others that verify tokens themselves. */
  published(): readonly VerificationKey[];
  /** How long others may cache what is published. */
  maxAgeSeconds(): number;
  /** `listener` is called when keys have come or gone. */
  onReplaced(listener: () => void): void;
}

/** Keys in files: they stay as they are until the server ends. */
export function createFixedKeys(key: SigningKey, more: readonly VerificationKey[]): TokenKeys {
  const keys = [...new Map([key, ...more].map((one) => [one.id, one])).values()];
  // An RSA key is good for all algorithms of RSA, as upstream has it (pkg/serviceaccount/jwt.go, AuthenticateToken); this server itself signs with the usual one.
  const forAnyAlgorithm = keys.map(({ id, key: publicKey }) => ({ id, key: publicKey, algorithm: undefined }));
  return {
    sign: (claims) => signToken(claims, key),
    find: (wanted) => (wanted === "" ? forAnyAlgorithm : forAnyAlgorithm.filter(({ id }) => id === wanted)),
    published: () => keys,
    maxAgeSeconds: () => 3600,
    onReplaced: () => {},
  };
}
