import { tag } from "./der-write.js";

/** Bytes that are not the DER that was expected. */
export class DerError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "DerError";
  }
}

/** One element. `content` and `bytes` are views, not copies. */
export interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
  /** With its header: what a signature covers. */
  readonly bytes: Buffer;
}

/** The one element that `bytes` holds. What follows it is an error. */
export function readDer(bytes: Uint8Array, expected?: number): DerElement {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = readAt(buffer, 0);
  if (found.bytes.length !== buffer.length) throw new DerError("there are bytes after the end of the structure");
  if (expected !== undefined) expectTag(found, expected);
  return found;
}

/** The members of a constructed element. */
export function readChildren(parent: DerElement, expected?: number): DerElement[] {
  if (expected !== undefined) expectTag(parent, expected);
  const children: DerElement[] = [];
  for (let offset = 0; offset < parent.content.length; ) {
    const child = readAt(parent.content, offset);
    children.push(child);
    offset += child.bytes.length;
  }
  return children;
}

export function expectTag(found: DerElement | undefined, expected: number): DerElement {
  if (found === undefined) throw new DerError(`an element with tag 0x${expected.toString(16)} is missing`);
  if (found.tag !== expected)
    throw new DerError(`expected tag 0x${expected.toString(16)}, found 0x${found.tag.toString(16)}`);
  return found;
}

function readAt(buffer: Buffer, start: number): DerElement {
  const tagByte = buffer[start];
  const first = buffer[start + 1];
  if (tagByte === undefined || first === undefined) throw new DerError("the structure ends too early");
  if ((tagByte & 0x1f) === 0x1f) throw new DerError("tags of more than one byte are not supported");
  let length = first;
  let offset = start + 2;
  if (first >= 0x80) {
    const count = first & 0x7f;
    // Four bytes of length are more than any certificate needs; zero would be the indefinite form, which DER forbids.
    if (count === 0 || count > 4 || offset + count > buffer.length)
      throw new DerError("an element has a length that DER does not allow");
    length = buffer.readUIntBE(offset, count);
    if (length < 0x80 || buffer[offset] === 0)
      throw new DerError("an element's length is not written in its shortest form");
    offset += count;
  }
  if (offset + length > buffer.length) throw new DerError("an element is longer than what holds it");
  return {
    tag: tagByte,
    content: buffer.subarray(offset, offset + length),
    bytes: buffer.subarray(start, offset + length),
  };
}

export function readOid(found: DerElement | undefined): string {
  const { content } = expectTag(found, tag.oid);
  const arcs: number[] = [];
  let arc = 0;
  for (const [index, byte] of content.entries()) {
    arc = arc * 128 + (byte & 0x7f);
    if (!Number.isSafeInteger(arc)) throw new DerError("an object identifier has a part that is too large");
    if (byte >= 0x80) {
      if (index === content.length - 1) throw new DerError("an object identifier ends too early");
      continue;
    }
    if (arcs.length === 0) {
      const first = Math.min(2, Math.floor(arc / 40));
      arcs.push(first, arc - first * 40);
    } else arcs.push(arc);
    arc = 0;
  }
  if (arcs.length === 0) throw new DerError("an object identifier is empty");
  return arcs.join(".");
}

/** The string kinds that occur in names; undefined for any other tag. */
export function readString(found: DerElement): string | undefined {
  switch (found.tag) {
    case tag.utf8String:
      return found.content.toString("utf8");
    case tag.printableString:
    case tag.ia5String:
    case tag.teletexString:
      return found.content.toString("latin1");
    case tag.bmpString:
      return Buffer.from(found.content).swap16().toString("utf16le");
    default:
      return undefined;
  }
}

/** UTCTime or GeneralizedTime, in milliseconds since 1970. */
export function readTime(found: DerElement | undefined): number {
  const text = found?.content.toString("latin1") ?? "";
  const match =
    found?.tag === tag.utcTime
      ? /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text)
      : found?.tag === tag.generalizedTime
        ? /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text)
        : null;
  if (!match) throw new DerError("a time is not in the form that certificates use");
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const century = found?.tag === tag.generalizedTime ? 0 : year < 50 ? 2000 : 1900;
  return Date.UTC(century + year, month - 1, day, hour, minute, second);
}

/** A BIT STRING of whole bytes, such as a signature. */
export function readBits(found: DerElement | undefined): Buffer {
  const { content } = expectTag(found, tag.bitString);
  if (content[0] !== 0) throw new DerError("a bit string does not end on a whole byte");
  return content.subarray(1);
}
