import { formatIp, type IpAddress, parseCidr, parseIp } from "@coxswain/apimachinery/validation";

export type IpFamily = "IPv4" | "IPv6";

/** An address as a number. */
export interface NumericAddress {
  readonly family: IpFamily;
  readonly value: bigint;
}

/** A network as the numbers of its first and last address. */
export interface NumericNetwork {
  readonly family: IpFamily;
  readonly prefixLength: number;
  readonly first: bigint;
  readonly last: bigint;
}

export const bitsOf = (family: IpFamily): number => (family === "IPv4" ? 32 : 128);

export function parseAddress(text: string): NumericAddress | undefined {
  const ip = parseIp(text);
  return ip && addressOf(ip);
}

function addressOf(ip: IpAddress): NumericAddress {
  const isV4 = ip.isV4 || ip.isV4InV6;
  let value = 0n;
  for (const byte of isV4 ? ip.bytes.subarray(12) : ip.bytes) value = (value << 8n) | BigInt(byte);
  return { family: isV4 ? "IPv4" : "IPv6", value };
}

/** "10.0.0.0/8". Bits behind the prefix do not matter. */
export function parseNetwork(text: string): NumericNetwork | undefined {
  const parsed = parseCidr(text);
  if (!parsed) return undefined;
  const { family, value } = addressOf(parsed.address);
  const prefixLength = parsed.address.isV4InV6 ? parsed.prefixLength - 96 : parsed.prefixLength;
  return prefixLength < 0 ? undefined : networkOf(family, value, prefixLength);
}

/** The network of this length that the address is in. */
export function networkOf(family: IpFamily, value: bigint, prefixLength: number): NumericNetwork {
  const hostBits = BigInt(bitsOf(family) - prefixLength);
  const first = (value >> hostBits) << hostBits;
  return { family, prefixLength, first, last: first + (1n << hostBits) - 1n };
}

export function formatNetwork({ family, prefixLength, first }: NumericNetwork): string {
  const isV4 = family === "IPv4";
  let rest = isV4 ? (0xffffn << 32n) | first : first;
  const bytes = new Uint8Array(16);
  for (let at = 15; at >= 0; at--, rest >>= 8n) bytes[at] = Number(rest & 0xffn);
  return `${formatIp({ bytes, isV4, isV4InV6: false, strict: true })}/${prefixLength}`;
}

export const overlaps = (a: NumericNetwork, b: NumericNetwork): boolean =>
  a.family === b.family && a.first <= b.last && b.first <= a.last;

/** Whether all of `inner` is in `outer`. */
export const containsNetwork = (outer: NumericNetwork, inner: NumericNetwork): boolean =>
  overlaps(outer, inner) && outer.prefixLength <= inner.prefixLength;
