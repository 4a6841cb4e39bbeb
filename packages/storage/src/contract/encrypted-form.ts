/** What the beginning of an encrypted value contains in plain text; no part of it is secret. */
export interface EncryptedForm {
  /** `aescbc`, `aesgcm`, `secretbox` or `kms`. */
  readonly provider: string;
  readonly version: string;
  /** Of the key, or of the KMS plugin. */
  readonly name: string;
  readonly prefixBytes: number;
}

const form = /^k8s:enc:([a-z]{1,20}):(v\d{1,2}):([^:]{0,1024}):/;
const longestPrefix = 1100;

/** Undefined: the value is not encrypted. */
export function encryptedForm(kept: Uint8Array): EncryptedForm | undefined {
  const head = Buffer.from(kept.subarray(0, longestPrefix)).toString("latin1");
  const [prefix, provider = "", version = "", name = ""] = form.exec(head) ?? [];
  return prefix === undefined ? undefined : { provider, version, name, prefixBytes: prefix.length };
}

/** For the text of an error. `keyId`: of a KMS plugin's key, "" where it is not known. */
export function writerText({ provider, version, name }: EncryptedForm, keyId: string): string {
  if (provider !== "kms") return ` (the value was written by provider ${provider} with key ${JSON.stringify(name)})`;
  const withKey = keyId === "" ? "" : ` with key ID ${JSON.stringify(keyId)}`;
  return ` (the value was written by KMS ${version} plugin ${JSON.stringify(name)}${withKey})`;
}
