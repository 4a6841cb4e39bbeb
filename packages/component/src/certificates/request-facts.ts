import { decodeCertificateRequest } from "@coxswain/wire/x509";

/** What a certificate signing request asks for. */
export interface RequestFacts {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
}

/** Reads a PEM-encoded PKCS #10 request; whether it is signed is not checked. @throws Error when it is none */
export function readRequestFacts(pem: string): RequestFacts {
  const request = decodeCertificateRequest(pem);
  if (!request) throw new Error("PEM block type must be CERTIFICATE REQUEST");
  const { commonName, organizations } = request.subject;
  return { commonName, organizations, ...request.extensions.names };
}
