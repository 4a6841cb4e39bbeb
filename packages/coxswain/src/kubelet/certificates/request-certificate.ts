import type { Client } from "@coxswain/client";
import { requestCertificate, waitForCertificate } from "@coxswain/client/certificates";
import type { Runtime } from "@coxswain/runtime";
import { createCertificateRequest, encodePrivateKey, generateKeyPair, namesOfHosts } from "@coxswain/wire/x509";

/** A certificate and its key in PEM. */
export interface CertificatePair {
  readonly certificate: string;
  readonly key: string;
}

export interface NodeCertificateRequest {
  readonly client: Client;
  readonly nodeName: string;
  /** Of a server; undefined: a client's certificate is asked for. */
  readonly hosts?: readonly string[];
  /** How long it should last, in seconds. @default the signer's choice */
  readonly expirationSeconds?: number | undefined;
  readonly signal: AbortSignal;
}

/** Milliseconds that somebody has to approve and sign it: upstream's, before another one is asked for. */
const waitMs = 15 * 60_000;

/** A new certificate of a node from the cluster (pkg/kubelet/certificate/bootstrap, pkg/kubelet/certificate/kubelet.go). @throws Error where it is denied */
export async function requestNodeCertificate(
  runtime: Runtime,
  { client, nodeName, hosts, expirationSeconds, signal }: NodeCertificateRequest,
): Promise<CertificatePair> {
  const { privateKey } = generateKeyPair();
  const requests = client.certificates.v1.certificatesigningrequests();
  const pem = createCertificateRequest({
    subject: { commonName: `system:node:${nodeName}`, organizations: ["system:nodes"] },
    privateKey,
    ...(hosts && { names: namesOfHosts(hosts) }),
  });
  const isServer = hosts !== undefined;
  const made = await requestCertificate({
    requests,
    pem,
    signerName: `kubernetes.io/${isServer ? "kubelet-serving" : "kube-apiserver-client-kubelet"}`,
    usages: ["digital signature", isServer ? "server auth" : "client auth"],
    ...(expirationSeconds !== undefined && { expirationSeconds }),
    signal,
  });
  const certificate = await waitForCertificate({ requests, ...made, runtime, signal, timeoutMs: waitMs });
  return { certificate, key: encodePrivateKey(privateKey) };
}
