const needle = Buffer.from('"managedFields":[');
const quote = 0x22;
const backslash = 0x5c;
const open = 0x5b;
const close = 0x5d;
const comma = 0x2c;

export interface Cut {
  readonly start: number;
  readonly end: number;
}

/**
 * Pure: where `managedFields` stand in the metadata of an encoded object, with the comma that joins them to the rest; undefined where
 * there are none. In strings quotes are escaped, so the first match is the member.
 */
export function managedFieldsIn(bytes: Uint8Array, from: number, to: number): Cut | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = view.indexOf(needle, from);
  if (at < 0 || at >= to) return undefined;
  const end = endOfList(bytes, at + needle.length - 1);
  if (bytes[at - 1] === comma) return { start: at - 1, end };
  return { start: at, end: bytes[end] === comma ? end + 1 : end };
}

function endOfList(bytes: Uint8Array, start: number): number {
  let depth = 0;
  let isString = false;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isString) {
      if (byte === backslash) at++;
      else if (byte === quote) isString = false;
    } else if (byte === quote) isString = true;
    else if (byte === open) depth++;
    else if (byte === close && --depth === 0) return at + 1;
  }
  return bytes.length;
}

/** Pure: the object, or its metadata, without its managed fields. */
export function withoutManagedFields(bytes: Uint8Array): Uint8Array {
  const cut = managedFieldsIn(bytes, 0, bytes.length);
  return cut ? Buffer.concat([bytes.subarray(0, cut.start), bytes.subarray(cut.end)]) : bytes;
}
