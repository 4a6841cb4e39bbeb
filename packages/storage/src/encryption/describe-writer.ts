import { readEncryptedObject } from "./kms/encrypted-object.js";

/** `k8s:enc:<provider>:<version>:<name of the key, or of the KMS plugin>:`; no part of it is secret. */
const form = /^k8s:enc:([a-z]{1,20}):(v\d{1,2}):([^:]{0,1024}):/;
const longestPrefix = 1100;

/** Which provider and key wrote a value that cannot be read, for the error's text; "" where the value does not say. */
export function describeWriter(kept: Uint8Array): string {
  const head = Buffer.from(kept.subarray(0, longestPrefix)).toString("latin1");
  const [prefix = "", provider = "", version = "", name = ""] = form.exec(head) ?? [];
  if (prefix === "") return "";
  if (provider !== "kms") return ` (the value was written by provider ${provider} with key ${JSON.stringify(name)})`;
  return ` (the value was written by KMS ${version} plugin ${JSON.stringify(name)}${keyIdOf(kept.subarray(prefix.length))})`;
}

function keyIdOf(kept: Uint8Array): string {
  try {
    return ` with key ID ${JSON.stringify(readEncryptedObject(kept).keyId)}`;
  } catch {
    return ""; // the wrapper itself is damaged, or of KMS v1: then the plugin's name is all that is known
  }
}
