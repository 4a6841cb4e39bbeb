import type { CertificateSigningRequest } from "@coxswain/api/certificates/v1";
import { isAlreadyExists } from "@coxswain/apimachinery/status";
import { filterListerWatcher, type WaitUntilOptions, waitUntil } from "../informers/index.js";
import type { ListerWatcher } from "../watch/index.js";

/** The requests of a cluster: `client.certificates.v1.certificateSigningRequests()` is one. */
export interface CertificateRequests extends ListerWatcher<CertificateSigningRequest> {
  get(name: string, options: { signal: AbortSignal }): Promise<CertificateSigningRequest>;
  create(request: CertificateSigningRequest, options: { signal: AbortSignal }): Promise<CertificateSigningRequest>;
}

export interface CertificateRequestOptions {
  requests: CertificateRequests;
  /** The PKCS #10 request in PEM. */
  pem: string;
  signerName: string;
  usages: readonly string[];
  /** @default a generated one */
  name?: string;
  /** How long the certificate should be valid; the signer may decide otherwise. */
  expirationSeconds?: number;
  /** Whether a request of that name, found instead, is for our key. @default the same PEM */
  isOurs?: (found: CertificateSigningRequest) => boolean;
  signal: AbortSignal;
}

/** Creates a certificate signing request. An existing one of that name, from before a restart for example, is reused if it is the same. */
export async function requestCertificate(options: CertificateRequestOptions): Promise<{ name: string; uid: string }> {
  const { requests, pem, signerName, usages, name, expirationSeconds, signal } = options;
  const request = encodeBase64(pem);
  const isOurs = options.isOurs ?? ((found) => found.spec.request === request);
  const wanted: CertificateSigningRequest = {
    apiVersion: "certificates.k8s.io/v1",
    kind: "CertificateSigningRequest",
    metadata: name === undefined ? { generateName: "csr-" } : { name },
    spec: {
      request,
      signerName,
      usages: [...usages] as NonNullable<CertificateSigningRequest["spec"]["usages"]>,
      ...(expirationSeconds === undefined ? {} : { expirationSeconds }),
    },
  };
  try {
    return idOf(await requests.create(wanted, { signal }));
  } catch (error) {
    if (!isAlreadyExists(error) || name === undefined) throw error;
    const found = await requests.get(name, { signal });
    if (found.spec.signerName !== signerName || !isOurs(found))
      throw new Error(`the certificate signing request "${name}" exists and is another one`, { cause: error });
    return idOf(found);
  }
}

export interface CertificateWaitOptions
  extends Pick<WaitUntilOptions<CertificateSigningRequest>, "timeoutMs" | "runtime" | "onError"> {
  requests: CertificateRequests;
  name: string;
  uid: string;
  signal: AbortSignal;
}

/** Waits until the request is approved and signed; the certificate in PEM. Rejects when it is denied, failed or deleted. */
export async function waitForCertificate({ requests, name, uid, ...wait }: CertificateWaitOptions): Promise<string> {
  const event = await waitUntil<CertificateSigningRequest>({
    ...wait,
    listerWatcher: filterListerWatcher(requests, { fieldSelector: `metadata.name=${name}` }),
    condition({ type, object }) {
      if (type === "DELETED") throw new Error(`the certificate signing request "${name}" was deleted`);
      if (object.metadata?.uid !== uid) throw new Error(`the certificate signing request "${name}" changed UIDs`);
      const conditions = object.status?.conditions ?? [];
      for (const { type: verdict, reason, message } of conditions) {
        if (verdict === "Denied") throw refusal("is denied", reason, message);
        if (verdict === "Failed") throw refusal("failed", reason, message);
      }
      return conditions.some((condition) => condition.type === "Approved") && Boolean(object.status?.certificate);
    },
  });
  return decodeBase64(event?.object.status?.certificate ?? "");
}

const refusal = (what: string, reason = "", message = ""): Error =>
  new Error(`certificate signing request ${what}, reason: ${reason}, message: ${message}`);

const idOf = ({ metadata }: CertificateSigningRequest): { name: string; uid: string } => ({
  name: metadata?.name ?? "",
  uid: metadata?.uid ?? "",
});

/** PEM is ASCII. */
const encodeBase64 = (text: string): string => btoa(text);
const decodeBase64 = (text: string): string => atob(text);
