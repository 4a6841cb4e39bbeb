import { join } from "node:path";
import { encodePrivateKey, encodePublicKey, generateKeyPair } from "@coxswain/wire/x509";
import { writeFileAtomically } from "../files/index.js";
import { parsePrivateKey, readIfThere } from "./identity-files.js";

/** The key that signs service account tokens, as PEM. */
export interface ServiceAccountKey {
  readonly privateKey: string;
  readonly publicKey: string;
  readonly privateKeyFile: string;
  readonly publicKeyFile: string;
}

/** P-256, hence ES256 tokens: signing is many times quicker than with RSA. `sa.pub` always follows from `sa.key`. */
export function ensureServiceAccountKey(folder: string): ServiceAccountKey & { readonly fresh: boolean } {
  const privateKeyFile = join(folder, "sa.key");
  const publicKeyFile = join(folder, "sa.pub");
  const found = readIfThere(privateKeyFile);
  const key = found === undefined ? generateKeyPair().privateKey : parsePrivateKey(privateKeyFile, found);
  const privateKey = found ?? encodePrivateKey(key);
  const publicKey = encodePublicKey(key);
  if (found === undefined) writeFileAtomically(privateKeyFile, privateKey, 0o600);
  if (readIfThere(publicKeyFile) !== publicKey) writeFileAtomically(publicKeyFile, publicKey, 0o644);
  return { privateKey, publicKey, privateKeyFile, publicKeyFile, fresh: found === undefined };
}
