import { formatIp, parseCidr, parseIp } from "@coxswain/apimachinery/validation";
import type { IpFamily } from "./service.js";

/** The addresses of a CIDR that services may have: neither the network's own nor the IPv4 broadcast address. */
export interface IpRange {
  /** As it is written. */
  readonly cidr: string;
  readonly family: IpFamily;
  readonly network: bigint;
  readonly first: bigint;
  readonly last: bigint;
  /** Up to here addresses are kept for those who ask for one by name, as long as others are free. */
  readonly dynamicFrom: bigint;
}

/** Undefined for what is no CIDR. */
export function parseRange(cidr: string): IpRange | undefined {
  const parsed = parseCidr(cidr);
  if (!parsed) return undefined;
  const { isV4 } = parsed.address;
  const hostBits = BigInt((isV4 ? 32 : 128) - parsed.prefixLength);
  const size = 1n << hostBits;
  const network = (toNumber(parsed.address.bytes, isV4) >> hostBits) << hostBits;
  const first = network + 1n;
  const last = network + size - (isV4 ? 2n : 1n);
  return { cidr, family: isV4 ? "IPv4" : "IPv6", network, first, last, dynamicFrom: first + reserved(size) };
}

/** A sixteenth, but no less than 16 and no more than 256; none in ranges too small for that. */
function reserved(size: bigint): bigint {
  if (size <= 16n) return 0n;
  const share = size / 16n;
  return share < 16n ? 16n : share > 256n ? 256n : share;
}

export const contains = ({ first, last, family }: IpRange, address: Address): boolean =>
  address.family === family && first <= address.value && address.value <= last;

export interface Address {
  readonly family: IpFamily;
  readonly value: bigint;
}

export function parseAddress(text: string): Address | undefined {
  const ip = parseIp(text);
  if (!ip) return undefined;
  const isV4 = ip.isV4 || ip.isV4InV6;
  return { family: isV4 ? "IPv4" : "IPv6", value: toNumber(ip.bytes, isV4) };
}

/** In canonical form: the name of its IPAddress. */
export function formatAddress({ family, value }: Address): string {
  const isV4 = family === "IPv4";
  let rest = isV4 ? (0xffffn << 32n) | value : value;
  const bytes = new Uint8Array(16);
  for (let at = 15; at >= 0; at--, rest >>= 8n) bytes[at] = Number(rest & 0xffn);
  return formatIp({ bytes, isV4, isV4InV6: false, strict: true });
}

function toNumber(bytes: Uint8Array, isV4: boolean): bigint {
  return bytes.subarray(isV4 ? 12 : 0).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
}
