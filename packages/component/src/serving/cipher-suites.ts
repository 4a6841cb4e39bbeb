/** Go's names of the suites of TLS 1.2 that kube-apiserver takes, and OpenSSL's for the same. Those of TLS 1.3 cannot be chosen, in Go as here. */
const suites: ReadonlyMap<string, string> = new Map([
  ["TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA", "ECDHE-ECDSA-AES128-SHA"],
  ["TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA", "ECDHE-ECDSA-AES256-SHA"],
  ["TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", "ECDHE-RSA-AES128-SHA"],
  ["TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA", "ECDHE-RSA-AES256-SHA"],
  ["TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "ECDHE-ECDSA-AES128-GCM-SHA256"],
  ["TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "ECDHE-ECDSA-AES256-GCM-SHA384"],
  ["TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "ECDHE-RSA-AES128-GCM-SHA256"],
  ["TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "ECDHE-RSA-AES256-GCM-SHA384"],
  ["TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", "ECDHE-RSA-CHACHA20-POLY1305"],
  ["TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305"],
  ["TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305", "ECDHE-RSA-CHACHA20-POLY1305"],
  ["TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305", "ECDHE-ECDSA-CHACHA20-POLY1305"],
  ["TLS_RSA_WITH_AES_128_GCM_SHA256", "AES128-GCM-SHA256"],
  ["TLS_RSA_WITH_AES_256_GCM_SHA384", "AES256-GCM-SHA384"],
  ["TLS_RSA_WITH_AES_128_CBC_SHA", "AES128-SHA"],
  ["TLS_RSA_WITH_AES_256_CBC_SHA", "AES256-SHA"],
]);
const alwaysThere = ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"];

/** OpenSSL's list for Go's names. Throws for one that is not known. */
export function openSslCiphers(names: readonly string[]): string {
  const chosen = names
    .filter((name) => !alwaysThere.includes(name))
    .map((name) => {
      const known = suites.get(name);
      if (known === undefined)
        throw new Error(
          `cipher suite ${name} is not supported or does not exist; there are ${[...suites.keys(), ...alwaysThere].join(", ")}`,
        );
      return known;
    });
  return [...alwaysThere, ...new Set(chosen)].join(":");
}

/** `VersionTLS12`, as Kubernetes writes it, for Node. */
export const tlsVersions: ReadonlyMap<string, "TLSv1.2" | "TLSv1.3"> = new Map([
  ["VersionTLS12", "TLSv1.2"],
  ["VersionTLS13", "TLSv1.3"],
]);
