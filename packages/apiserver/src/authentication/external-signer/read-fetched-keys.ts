import { createPublicKey, type KeyObject } from "node:crypto";
import type { PublishedKey } from "@coxswain/wire/jwt";
import type { FetchedKeys } from "./rpc.js";

/** The keys that a signer signs, or once signed, with. */
export interface SignerKeys {
  readonly keys: readonly (PublishedKey & { readonly isExcluded: boolean })[];
  /** Since when they are what they are, in seconds since 1970. */
  readonly dataSeconds: number;
  readonly refreshSeconds: number;
}

const longestId = 1024;
/** The years 1 to 9999, which is as far as protobuf's times go. */
const firstSecond = -62_135_596_800;
const lastSecond = 253_402_300_799;

/** @throws when the signer's answer is not one to trust tokens by; upstream's words and order of checks */
export function readFetchedKeys({ keys, dataTimestamp, refreshHintSeconds }: FetchedKeys): SignerKeys {
  if (refreshHintSeconds <= 0) throw new Error(`found invalid refresh hint (${refreshHintSeconds}s)`);
  if (keys.length === 0) throw new Error("found no keys");
  if (!dataTimestamp) throw new Error("invalid data timestamp: invalid nil Timestamp");
  const { seconds, nanos } = dataTimestamp;
  if (seconds < firstSecond || seconds > lastSecond)
    throw new Error(
      `invalid data timestamp: timestamp (seconds:${seconds} nanos:${nanos}) ${seconds < 0 ? "before 0001-01-01" : "after 9999-12-31"}`,
    );
  if (nanos < 0 || nanos > 999_999_999)
    throw new Error(`invalid data timestamp: timestamp (seconds:${seconds} nanos:${nanos}) has out-of-range nanos`);
  return { keys: keys.map(readKey), dataSeconds: seconds + nanos / 1e9, refreshSeconds: refreshHintSeconds };
}

function readKey({ keyId, key, excludeFromOidcDiscovery }: FetchedKeys["keys"][number]): SignerKeys["keys"][number] {
  if (keyId === "" || Buffer.byteLength(keyId) > longestId)
    throw new Error(`found invalid public key id ${JSON.stringify(keyId)}`);
  if (key.length === 0) throw new Error("found empty public key");
  return { id: keyId, algorithm: undefined, key: parseKey(key), isExcluded: excludeFromOidcDiscovery };
}

function parseKey(der: Uint8Array): KeyObject {
  try {
    return createPublicKey({ key: Buffer.from(der), format: "der", type: "spki" });
  } catch (err) {
    throw new Error(`while parsing external public keys: ${(err as Error).message}`, { cause: err });
  }
}
