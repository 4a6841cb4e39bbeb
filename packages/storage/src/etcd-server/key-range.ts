import { GrpcError } from "@coxswain/wire/grpc";

/** Keys that a request names, as the store reads them: those with `prefix`, from `start` on, and before `end` where that is no end of the prefix. */
export type Keys =
  | { readonly kind: "one"; readonly key: string }
  | { readonly kind: "many"; readonly prefix: string; readonly start: string; readonly end: Buffer | undefined };

/** `key` and `range_end` of a request: no end is one key, an end of one zero byte is all from the key on. @throws GrpcError */
export function keysOf({ key, range_end }: { readonly key: Uint8Array; readonly range_end: Uint8Array }): Keys {
  if (key.length === 0) throw new GrpcError("INVALID_ARGUMENT", "etcdserver: key is not provided");
  if (range_end.length === 0) return { kind: "one", key: textOf(key) };
  const first = Buffer.from(key.length === 1 && key[0] === 0 ? [] : key);
  if (range_end.length === 1 && range_end[0] === 0)
    return { kind: "many", prefix: "", start: textOf(first), end: undefined };
  const end = Buffer.from(range_end);
  const prefix = prefixEndingAt(end);
  if (prefix && first.subarray(0, prefix.length).equals(prefix))
    return { kind: "many", prefix: textOf(prefix), start: textOf(first), end: undefined };
  return { kind: "many", prefix: "", start: textOf(first), end };
}

/** Whether a key is one of them. */
export function isAmong(keys: Keys, key: string): boolean {
  if (keys.kind === "one") return keys.key === key;
  const bytes = Buffer.from(key);
  return (
    key.startsWith(keys.prefix) &&
    Buffer.compare(bytes, Buffer.from(keys.start)) >= 0 &&
    (keys.end === undefined || Buffer.compare(bytes, keys.end) < 0)
  );
}

/** The prefix whose keys all stand before `end`, and no others behind its first: `end` with its last byte less one. */
function prefixEndingAt(end: Buffer): Buffer | undefined {
  const last = end[end.length - 1] ?? 0;
  if (last === 0) return undefined;
  const prefix = Buffer.from(end);
  prefix[end.length - 1] = last - 1;
  return isText(prefix) ? prefix : undefined;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function isText(bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** @throws GrpcError */
export function textOf(key: Uint8Array): string {
  try {
    return decoder.decode(key);
  } catch (cause) {
    throw new GrpcError("INVALID_ARGUMENT", "keys of this store are text in UTF-8", { cause });
  }
}
