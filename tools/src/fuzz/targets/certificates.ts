import { createSeededRandom } from "@coxswain/runtime/random";
import {
  createAuthority,
  createCertificateRequest,
  createClientIdentity,
  DerError,
  decodeCertificateRequest,
  decodePem,
  encodePem,
  generateKeyPair,
  isSelfSigned,
  isSignedBy,
  publicKeyOf,
  readCertificate,
  readCertificateRequest,
  readCertificates,
} from "@coxswain/wire/x509";
import { accepts, BrokenPromise, type FuzzTarget, seed, textOf } from "../fuzz-target.js";

const validity = {
  notBefore: Date.UTC(2026, 0, 1),
  notAfter: Date.UTC(2036, 0, 1),
  random: createSeededRandom("certificates"),
};

/** DER of certificates and requests, as a client shows them. The signature is checked too: the key may be anything. */
export function x509Target(): FuzzTarget {
  const authority = createAuthority({ subject: { commonName: "ca" }, ...validity });
  const client = createClientIdentity(authority, {
    subject: { commonName: "root", organizations: ["a", "b"] },
    ...validity,
  });
  const issued = [authority.pem, client.pem].flatMap((pem) => readCertificates(pem));
  const request = createCertificateRequest({ subject: { commonName: "n" }, privateKey: generateKeyPair().privateKey });
  return {
    name: "x509",
    seeds: [authority.pem, client.pem, request].map((pem) => decodePem(pem)[0]!.bytes),
    run(input) {
      const isCertificate = accepts(() => {
        const certificate = readCertificate(input);
        if (
          isSignedBy(certificate, issued[0]!) &&
          !issued.some(({ signed }) => signed.bytes.equals(certificate.signed.bytes))
        )
          throw new BrokenPromise("a changed certificate passes as signed");
        publicKeyOf(certificate);
      }, DerError);
      const isRequest = accepts(() => void isSelfSigned(readCertificateRequest(input)), DerError);
      return isCertificate || isRequest;
    },
  };
}

/** PEM: blocks that are found are written and found again. */
export function pemTarget(): FuzzTarget {
  const bytes = Uint8Array.from({ length: 100 }, (_, index) => index);
  return {
    name: "pem",
    seeds: [
      seed(encodePem("CERTIFICATE", bytes)),
      seed(`text\n${encodePem("EC PRIVATE KEY", bytes)}\r\n${encodePem("CERTIFICATE", bytes)}`),
      seed("-----BEGIN X-----\nProc-Type: 4\nDEK-Info: y\n\nAAAA\n-----END X-----\n"),
    ],
    words: ["-----BEGIN ", "-----END ", "-----\n", "CERTIFICATE", "CERTIFICATE REQUEST", "\r\n", ": ", "=", "=="],
    run(input) {
      const text = textOf(input);
      const blocks = decodePem(text);
      const again = decodePem(blocks.map(({ label, bytes: body }) => encodePem(label, body)).join(""));
      if (JSON.stringify(again) !== JSON.stringify(blocks)) throw new BrokenPromise("blocks are not found again");
      accepts(() => readCertificates(text), DerError);
      accepts(() => decodeCertificateRequest(text), DerError);
      return blocks.length > 0;
    },
  };
}
