import { createPrivateKey } from "node:crypto";
import { encodePem, hasKey, readCertificates } from "@coxswain/wire/x509";

/**
 * Pure: the same certificates, first the one that has the key. While an authority is replaced, those who were signed by another one
 * than the first know that it is time to be signed again.
 */
export function signingFirst(bundle: string, key: string): string {
  const privateKey = createPrivateKey(key);
  const all = readCertificates(bundle);
  const signing = all.filter((one) => hasKey(one, privateKey));
  if (signing.length === 0 || all[0] === signing[0]) return bundle;
  const others = all.filter((one) => !signing.includes(one));
  return [...signing, ...others].map(({ der }) => encodePem("CERTIFICATE", der)).join("");
}
