import { type DerElement, DerError, expectTag, readChildren, readDer, readOid } from "./der-read.js";
import {
  bitString,
  boolean,
  element,
  explicit,
  implicit,
  octetString,
  oid,
  sequence,
  smallInteger,
  tag,
} from "./der-write.js";
import { oids } from "./object-identifiers.js";
import {
  type AlternativeNames,
  dnsName,
  encodeAlternativeNames,
  hasNames,
  ipName,
  noAlternativeNames,
  readAlternativeNames,
} from "./subject-alternative-names.js";

/** In the order of their bits (RFC 5280, 4.2.1.3). */
export const keyUsages = [
  "digitalSignature",
  "contentCommitment",
  "keyEncipherment",
  "dataEncipherment",
  "keyAgreement",
  "keyCertSign",
  "cRLSign",
  "encipherOnly",
  "decipherOnly",
] as const;
export type KeyUsage = (typeof keyUsages)[number];

/** Well-known ones by name, any other by its dotted number. */
export type ExtendedKeyUsage = "serverAuth" | "clientAuth" | (string & {});

export interface Extensions {
  readonly isCa: boolean;
  /** How many further CAs may stand below this one. */
  readonly pathLength?: number;
  readonly keyUsage: readonly KeyUsage[];
  readonly extendedKeyUsage: readonly ExtendedKeyUsage[];
  readonly names: AlternativeNames;
  /** Of an authority: it signs for these DNS names and those below them, and for no addresses. Written, but not read. */
  readonly permittedDnsNames?: readonly string[];
  readonly subjectKeyId?: Uint8Array;
  readonly authorityKeyId?: Uint8Array;
}

export const noExtensions: Extensions = { isCa: false, keyUsage: [], extendedKeyUsage: [], names: noAlternativeNames };

const purposes: Readonly<Record<string, string>> = { serverAuth: oids.serverAuth, clientAuth: oids.clientAuth };
const purposeNames = new Map(Object.entries(purposes).map(([name, id]) => [id, name]));

/** The elements of an `Extensions` sequence; empty ones are left out. `subjectIsEmpty` makes the alternative names critical, as RFC 5280 demands. */
export function encodeExtensions(from: Extensions, subjectIsEmpty = false): Buffer {
  const list: Buffer[] = [];
  const add = (id: string, critical: boolean, value: Buffer): void => {
    list.push(encodeExtension(id, critical, value));
  };
  if (from.keyUsage.length > 0) add(oids.keyUsage, true, encodeKeyUsage(from.keyUsage));
  if (from.extendedKeyUsage.length > 0)
    add(oids.extendedKeyUsage, false, sequence(...from.extendedKeyUsage.map((usage) => oid(purposes[usage] ?? usage))));
  const pathLength = from.pathLength === undefined ? [] : [smallInteger(from.pathLength)];
  add(oids.basicConstraints, true, from.isCa ? sequence(boolean(true), ...pathLength) : sequence());
  if (from.subjectKeyId) add(oids.subjectKeyIdentifier, false, octetString(from.subjectKeyId));
  if (from.authorityKeyId) add(oids.authorityKeyIdentifier, false, sequence(element(0x80, from.authorityKeyId)));
  if (from.permittedDnsNames) add(oids.nameConstraints, true, encodeNameConstraints(from.permittedDnsNames));
  if (hasNames(from.names)) add(oids.subjectAltName, subjectIsEmpty, encodeAlternativeNames(from.names));
  return sequence(...list);
}

/** RFC 5280, 4.2.1.10. Names of a kind that no permitted one has are free, so all addresses are excluded. */
function encodeNameConstraints(dnsNames: readonly string[]): Buffer {
  const permitted = dnsNames.map((name) => sequence(implicit(dnsName, Buffer.from(name, "latin1"))));
  const everyAddress = [8, 32].map((octets) => sequence(implicit(ipName, Buffer.alloc(octets))));
  return sequence(explicit(0, ...permitted), explicit(1, ...everyAddress));
}

/** An `Extensions` sequence with nothing but names: what a request asks for. */
export const encodeNamesOnly = (names: AlternativeNames): Buffer =>
  sequence(encodeExtension(oids.subjectAltName, false, encodeAlternativeNames(names)));

const encodeExtension = (id: string, critical: boolean, value: Buffer): Buffer =>
  sequence(oid(id), ...(critical ? [boolean(true)] : []), octetString(value));

function encodeKeyUsage(usages: readonly KeyUsage[]): Buffer {
  const positions = usages.map((usage) => keyUsages.indexOf(usage));
  const last = positions.reduce((highest, position) => Math.max(highest, position), 0);
  const bytes = Buffer.alloc(Math.floor(last / 8) + 1);
  for (const position of positions) bytes[position >> 3]! |= 0x80 >> (position & 7);
  return bitString(bytes, 7 - (last & 7));
}

/** Unknown extensions are passed over; an extension that occurs twice is an error. */
export function readExtensions(found: DerElement): Extensions {
  const values = new Map<string, DerElement>();
  for (const extension of readChildren(found, tag.sequence)) {
    const parts = readChildren(extension, tag.sequence);
    const id = readOid(parts[0]);
    if (values.has(id)) throw new DerError(`the extension ${id} occurs twice`);
    values.set(id, readDer(expectTag(parts.at(-1), tag.octetString).content));
  }
  const [usage, purpose, names] = [oids.keyUsage, oids.extendedKeyUsage, oids.subjectAltName].map((id) =>
    values.get(id),
  );
  const authority = values.get(oids.authorityKeyIdentifier);
  const authorityKeyId = authority && readChildren(authority, tag.sequence).find((part) => part.tag === 0x80)?.content;
  const subjectKeyId = values.get(oids.subjectKeyIdentifier)?.content;
  return {
    ...readBasicConstraints(values.get(oids.basicConstraints)),
    keyUsage: usage ? readKeyUsage(usage) : [],
    extendedKeyUsage: purpose
      ? readChildren(purpose, tag.sequence)
          .map(readOid)
          .map((id) => purposeNames.get(id) ?? id)
      : [],
    names: names ? readAlternativeNames(names) : noAlternativeNames,
    ...(subjectKeyId && { subjectKeyId }),
    ...(authorityKeyId && { authorityKeyId }),
  };
}

function readBasicConstraints(found: DerElement | undefined): { isCa: boolean; pathLength?: number } {
  const parts = found ? readChildren(found, tag.sequence) : [];
  const isCa = parts[0]?.tag === tag.boolean && parts[0].content[0] === 0xff;
  const length = parts.find((part) => part.tag === tag.integer)?.content;
  return length && length.length <= 4 ? { isCa, pathLength: length.readUIntBE(0, length.length) } : { isCa };
}

function readKeyUsage(found: DerElement): KeyUsage[] {
  const bits = expectTag(found, tag.bitString).content.subarray(1);
  return keyUsages.filter((_, position) => ((bits[position >> 3] ?? 0) & (0x80 >> (position & 7))) !== 0);
}
