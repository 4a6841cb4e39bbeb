import { addressBytes, formatAddress } from "@coxswain/wire/bytes";

export interface HostAddress {
  readonly type: "A" | "AAAA";
  readonly address: string;
}

/** The address in `text`, if it is one, as Go's `net.ParseIP` and `To4` see it: an IPv4 address within IPv6 is an IPv4 address. */
export function hostAddress(text: string): HostAddress | undefined {
  const bytes = addressBytes(text);
  if (bytes === undefined) return undefined;
  if (bytes.length === 4) return { type: "A", address: text };
  const isMapped = bytes[10] === 0xff && bytes[11] === 0xff && bytes.subarray(0, 10).every((octet) => octet === 0);
  return isMapped
    ? { type: "A", address: formatAddress(bytes.subarray(12))! }
    : { type: "AAAA", address: formatAddress(bytes)! };
}
