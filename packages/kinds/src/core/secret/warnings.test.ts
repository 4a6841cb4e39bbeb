import { describe, expect, it } from "vitest";
import type { StoredSecret } from "./stored.js";
import { secretWarnings } from "./warnings.js";

const pem = (type: string): string => `-----BEGIN ${type}-----\nMAA=\n-----END ${type}-----\n`;
const secret = (crt: string, key: string, type = "kubernetes.io/tls"): StoredSecret => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "a" },
  type,
  data: { "tls.crt": btoa(crt), "tls.key": btoa(key) },
});

describe("warnings of secrets for TLS, in Go's words", () => {
  const cases: [name: string, secret: StoredSecret, expected: string[]][] = [
    ["a certificate and a key", secret(pem("CERTIFICATE"), pem("EC PRIVATE KEY")), []],
    ["no PEM", secret("x", "y"), ["tls: failed to find any PEM data in certificate input"]],
    ["no key", secret(pem("CERTIFICATE"), "y"), ["tls: failed to find any PEM data in key input"]],
    [
      "the two switched",
      secret(pem("PRIVATE KEY"), pem("CERTIFICATE")),
      [
        "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched",
      ],
    ],
    [
      "a certificate in the key's place",
      secret(pem("CERTIFICATE"), pem("CERTIFICATE")),
      ["tls: found a certificate rather than a key in the PEM for the private key"],
    ],
    [
      "blocks of other types",
      secret(pem("A") + pem("B"), pem("C")),
      [
        'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [A B]',
      ],
    ],
    ["secrets of other types are not looked at", secret("x", "y", "Opaque"), []],
  ];
  for (const [name, given, expected] of cases) it(name, () => expect(secretWarnings(given)).toEqual(expected));
});
