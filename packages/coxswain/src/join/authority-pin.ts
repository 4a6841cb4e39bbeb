import { createHash, X509Certificate } from "node:crypto";
import { decodeCertificates } from "@coxswain/wire/x509";

/** `sha256:` and the hash of a certificate's SubjectPublicKeyInfo, as kubeadm pins authorities (RFC 7469, 2.4). */
export const pinOf = (certificate: Uint8Array): string => {
  const key = new X509Certificate(certificate).publicKey.export({ type: "spki", format: "der" });
  return `sha256:${createHash("sha256").update(key).digest("hex")}`;
};

/** Of all certificates in PEM. */
export const pinsOf = (pem: string): string[] => decodeCertificates(pem).map((der) => pinOf(der));

export const isPin = (text: string): boolean => /^sha256:[0-9a-f]{64}$/.test(text);
