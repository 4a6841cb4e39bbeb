import { textOfBase64 } from "../../checks/base64-text.js";
import { firstPemBlock } from "../../checks/pem.js";
import type { StoredSecret } from "./stored.js";

/**
 * What Go's tls.X509KeyPair finds wrong with the files of a secret for TLS (`pkg/registry/core/secret/strategy.go`, warningsForSecret; Go's
 * crypto/tls/tls.go). Caveat: the blocks of PEM are looked at alone, not whether certificate and key can be parsed and belong together.
 */
export function secretWarnings({ type, data = {} }: StoredSecret): string[] {
  if (type !== "kubernetes.io/tls") return [];
  const problem = certificateProblem(typesIn(data["tls.crt"])) ?? keyProblem(typesIn(data["tls.key"]));
  return problem === undefined ? [] : [`tls: ${problem}`];
}

function certificateProblem(types: readonly string[]): string | undefined {
  if (types.includes("CERTIFICATE")) return undefined;
  if (types.length === 0) return "failed to find any PEM data in certificate input";
  return types.length === 1 && types[0]?.endsWith("PRIVATE KEY")
    ? "failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched"
    : `failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${types.join(" ")}]`;
}

function keyProblem(types: readonly string[]): string | undefined {
  if (types.some((type) => type === "PRIVATE KEY" || type.endsWith(" PRIVATE KEY"))) return undefined;
  if (types.length === 0) return "failed to find any PEM data in key input";
  return types.length === 1 && types[0] === "CERTIFICATE"
    ? "found a certificate rather than a key in the PEM for the private key"
    : `failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${types.join(" ")}]`;
}

/** Of all blocks, in their order. */
function typesIn(base64: string | undefined): string[] {
  const types: string[] = [];
  for (let rest = textOfBase64(base64 ?? ""); rest !== ""; ) {
    const block = firstPemBlock(rest);
    if (!block) break;
    types.push(block.type);
    rest = block.rest;
  }
  return types;
}
