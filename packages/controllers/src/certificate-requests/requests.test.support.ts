import type { CertificateSigningRequest, KeyUsage } from "@coxswain/api/certificates/v1";

// Both of one P-256 key, made with openssl: the subject is O=system:nodes, CN=system:node:a.
/** Without alternative names. */
export const clientRequest =
  "-----BEGIN CERTIFICATE REQUEST-----\nMIHqMIGRAgEAMC8xFTATBgNVBAoMDHN5c3RlbTpub2RlczEWMBQGA1UEAwwNc3lz\ndGVtOm5vZGU6YTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABH1ZfeWR7dDBz3xJ\nH3Qf7HPLlesyNKC3mVKHdjIk0Qo10hUCu88IzYFwOEXFRHYkzvCDKVEP08RmU+/N\nUmJ71s6gADAKBggqhkjOPQQDAgNIADBFAiEAmeRYIZUN+NeKFcWwzou8FKSyKoXo\nay64HpeHSFlMh8kCIEZzVFKSPHeQezVEXgcap4tN9GBYf0JKZoUK+F/3gPSw\n-----END CERTIFICATE REQUEST-----\n";
/** For the DNS name a and the address 10.0.0.1. */
export const servingRequest =
  "-----BEGIN CERTIFICATE REQUEST-----\nMIIBDzCBtgIBADAvMRUwEwYDVQQKDAxzeXN0ZW06bm9kZXMxFjAUBgNVBAMMDXN5\nc3RlbTpub2RlOmEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAR9WX3lke3Qwc98\nSR90H+xzy5XrMjSgt5lSh3YyJNEKNdIVArvPCM2BcDhFxUR2JM7wgylRD9PEZlPv\nzVJie9bOoCUwIwYJKoZIhvcNAQkOMRYwFDASBgNVHREECzAJggFhhwQKAAABMAoG\nCCqGSM49BAMCA0gAMEUCIFQKpPp1QMg2In7duOXOgF+xIhCMO3ReceOvFryAtSDP\nAiEAp9+qQ1Kwk9ougcB9bFsM+x8PyjvsiXxuBdeK3l9phpU=\n-----END CERTIFICATE REQUEST-----\n";

export const clientUsages: KeyUsage[] = ["digital signature", "client auth"];

/** A request as a client sends it. */
export const requestFor = (
  signerName: string,
  usages: KeyUsage[],
  { pem = clientRequest, ...more }: { pem?: string; username?: string; expirationSeconds?: number } = {},
): CertificateSigningRequest => ({
  metadata: { name: "r" },
  spec: { request: btoa(pem), signerName, usages, ...more },
});
