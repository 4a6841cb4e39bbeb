import { append } from "../append/index.js";
/**
 * IP addresses as Kubernetes reads them. Old fields are read sloppily (leading zeros are ignored); what Go's strict
 * parser would return for the same text is noted beside the address.
 */
export interface IpAddress {
  /** Sixteen bytes; IPv4 stands behind ::ffff:0:0/96, as in Go's net.IP. */
  readonly bytes: Uint8Array;
  /** Written with dots only. */
  readonly isV4: boolean;
  /** Written as IPv6 though it holds an IPv4 address. */
  readonly isV4InV6: boolean;
  /** Whether strict parsers accept the text: no leading zeros in octets, groups of at most four digits. */
  readonly strict: boolean;
}

export interface IpNetwork {
  readonly address: IpAddress;
  readonly prefixLength: number;
  readonly strict: boolean;
}

const v4Prefix = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

export function parseIp(text: string): IpAddress | undefined {
  const first = /[.:]/.exec(text)?.[0];
  if (first === undefined) return undefined;
  return first === "." ? parseV4(text) : parseV6(text);
}

function parseV4(text: string): IpAddress | undefined {
  const octets = text.split(".");
  if (octets.length !== 4 || !octets.every((octet) => /^0*[0-9]{1,3}$/.test(octet) && Number(octet) <= 255))
    return undefined;
  const strict = octets.every((octet) => octet.length === 1 || !octet.startsWith("0"));
  return { bytes: Uint8Array.from([...v4Prefix, ...octets.map(Number)]), isV4: true, isV4InV6: false, strict };
}

function parseV6(text: string): IpAddress | undefined {
  const [head = "", tail, ...more] = text.split("::");
  if (more.length > 0) return undefined;
  const left = parseGroups(head, tail === undefined);
  const right = tail === undefined ? { bytes: [], strict: true } : parseGroups(tail, true);
  if (left === undefined || right === undefined) return undefined;
  const missing = 16 - left.bytes.length - right.bytes.length;
  // An ellipsis stands for at least one group.
  if (tail === undefined ? missing !== 0 : missing < 2) return undefined;
  const bytes = Uint8Array.from([...left.bytes, ...Array.from({ length: missing }, () => 0), ...right.bytes]);
  return {
    bytes,
    isV4: false,
    isV4InV6: v4Prefix.every((byte, i) => bytes[i] === byte),
    strict: left.strict && right.strict,
  };
}

/** Groups of hexadecimal digits; the last may be an IPv4 address where `atEnd`. */
function parseGroups(text: string, atEnd: boolean): { bytes: number[]; strict: boolean } | undefined {
  const bytes: number[] = [];
  let strict = true;
  if (text === "") return { bytes, strict };
  const groups = text.split(":");
  for (const [i, group] of groups.entries()) {
    if (atEnd && i === groups.length - 1 && group.includes(".")) {
      const v4 = parseV4(group);
      if (v4 === undefined) return undefined;
      append(bytes, v4.bytes.subarray(12));
      strict &&= v4.strict;
    } else {
      if (!/^0*[0-9a-fA-F]{1,4}$/.test(group)) return undefined;
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
      strict &&= group.length <= 4;
    }
  }
  return { bytes, strict };
}

/** `10.0.0.0/8`. The bits behind the prefix are kept. */
export function parseCidr(text: string): IpNetwork | undefined {
  const slash = text.indexOf("/");
  if (slash < 0) return undefined;
  const address = parseIp(text.slice(0, slash));
  const bits = text.slice(slash + 1);
  if (address === undefined || !/^0*[0-9]{1,3}$/.test(bits)) return undefined;
  const prefixLength = Number(bits);
  if (prefixLength > (address.isV4 ? 32 : 128)) return undefined;
  return { address, prefixLength, strict: address.strict && (bits.length === 1 || !bits.startsWith("0")) };
}

/** The network's own address: the bits behind the prefix are zero. */
export function maskedAddress({ address, prefixLength }: IpNetwork): IpAddress {
  const kept = address.isV4 ? prefixLength + 96 : prefixLength;
  const bytes = address.bytes.map((byte, i) => byte & (0xff00 >> Math.min(8, Math.max(0, kept - i * 8))));
  return { ...address, bytes, isV4InV6: address.isV4InV6 && kept >= 96 };
}

export const sameAddress = (a: IpAddress, b: IpAddress): boolean => a.bytes.every((byte, i) => byte === b.bytes[i]);

/** As Go's net.IP writes it: an IPv4 address in dots, however it was read; IPv6 by RFC 5952. */
export function formatIp(address: IpAddress): string {
  return address.isV4 || address.isV4InV6 ? formatV4(address.bytes) : formatV6(address.bytes);
}

/** As Go's netip.Addr writes it: IPv4 in IPv6 stays what it is. */
export const formatIpAsWritten = (address: IpAddress): string =>
  address.isV4InV6 ? `::ffff:${formatV4(address.bytes)}` : formatIp(address);

const formatV4 = (bytes: Uint8Array): string => bytes.subarray(12).join(".");

function formatV6(bytes: Uint8Array): string {
  const groups = Array.from({ length: 8 }, (_, i) =>
    (((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0)).toString(16),
  );
  const { start, length } = longestZeros(groups);
  if (length < 2) return groups.join(":");
  return `${groups.slice(0, start).join(":")}::${groups.slice(start + length).join(":")}`;
}

/** The first of the longest runs of zero groups. */
function longestZeros(groups: readonly string[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let end = start;
    while (groups[end] === "0") end++;
    if (end - start > best.length) best = { start, length: end - start };
    start = Math.max(start, end);
  }
  return best;
}

/** `address/length` as Go's net.IPNet writes it: IPv4 in IPv6 becomes IPv4. */
export function formatCidr(network: IpNetwork): string {
  const address = maskedAddress(network);
  return `${formatIp(address)}/${address.isV4InV6 ? network.prefixLength - 96 : network.prefixLength}`;
}
