import { type FieldError, type FieldPath, invalid } from "@coxswain/apimachinery/field";
import { textOfBase64 } from "./base64-text.js";
import { firstPemBlock } from "./pem.js";

/** Whether PEM text, in base64, has a certificate to trust. Caveat: a block counts as an X.509 certificate if its outermost length is right. */
export function checkCaBundle(bundle: string, path: FieldPath): FieldError[] {
  const problem = bundleProblem(textOfBase64(bundle));
  return problem === undefined ? [] : [invalid(path, bundle, `unable to load root certificates: ${problem}`)];
}

/** One good certificate is enough; else the first error is returned. */
function bundleProblem(text: string): string | undefined {
  const problems: string[] = [];
  for (let rest = text; rest !== ""; ) {
    const block = firstPemBlock(rest);
    if (!block) {
      problems.push("unable to parse bytes as PEM block");
      break;
    }
    rest = block.rest;
    if (block.type !== "CERTIFICATE" || block.hasHeaders) continue;
    if (isSequence(block.bytes)) return undefined;
    problems.push("failed to parse certificate: x509: malformed certificate");
  }
  return problems[0] ?? "no valid certificate authority data seen";
}

/** A DER sequence whose length field is right. */
function isSequence(bytes: Uint8Array): boolean {
  const [tag, length = 0] = bytes;
  if (tag !== 0x30 || length === 0x80) return false;
  if (length < 0x80) return bytes.length === length + 2;
  const size = length - 0x80;
  const stated = bytes.subarray(2, 2 + size).reduce((sum, byte) => sum * 256 + byte, 0);
  return bytes.length === 2 + size + stated;
}
