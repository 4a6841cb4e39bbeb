import { isProtobuf, readEnvelope } from "@coxswain/apimachinery/protobuf";

/** What a value is, for a person: JSON as lines, and everything else by its name. */
export function showValue(value: Uint8Array): string {
  if (isProtobuf(value)) return `(${nameProtobuf(value)}, ${value.length} bytes)`;
  const encrypted = nameEncryption(value);
  if (encrypted !== undefined) return `(${encrypted}, ${value.length} bytes)`;
  const text = decode(value);
  if (text === undefined) return `(${value.length} bytes)`;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text; // not JSON: shown as it is
  }
}

/** The same as data: JSON as it is, text as a string, and the rest by its name. */
export function valueAsData(value: Uint8Array): unknown {
  const shown = showValue(value);
  try {
    return JSON.parse(shown);
  } catch {
    return shown;
  }
}

function nameProtobuf(value: Uint8Array): string {
  try {
    const { apiVersion, kind } = readEnvelope(value);
    return `protobuf: ${apiVersion} ${kind}`;
  } catch {
    return "protobuf that cannot be read";
  }
}

/** As upstream marks it (k8s.io/apiserver/pkg/server/options/encryptionconfig/config.go, aesCBCTransformerPrefixV1): `k8s:enc:aescbc:v1:key1:` and then the encrypted bytes. */
function nameEncryption(value: Uint8Array): string | undefined {
  const start = new TextDecoder("latin1").decode(value.subarray(0, 512));
  const [, provider, version, key] = /^k8s:enc:([^:]+):(v\d+):([^:]+):/.exec(start) ?? [];
  return provider === undefined
    ? undefined
    : `encrypted: ${provider} ${version}, ${provider === "kms" ? "provider" : "key"} ${key}`;
}

function decode(value: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(value);
  } catch {
    return undefined; // not text
  }
}
