import { encryptedForm, writerText } from "../contract/encrypted-form.js";
import { readEncryptedObject } from "./kms/encrypted-object.js";

/** Which provider and key wrote a value that cannot be read, for the error's text; "" where the value does not contain that. */
export function describeWriter(kept: Uint8Array): string {
  const form = encryptedForm(kept);
  return form ? writerText(form, form.provider === "kms" ? keyIdOf(kept.subarray(form.prefixBytes)) : "") : "";
}

function keyIdOf(kept: Uint8Array): string {
  try {
    return readEncryptedObject(kept).keyId;
  } catch {
    return ""; // the wrapper itself is damaged, or of KMS v1: then the plugin's name is all that is known
  }
}
