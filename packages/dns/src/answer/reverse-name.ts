import { formatAddress } from "@coxswain/wire/bytes";
import { hostAddress } from "../records/go-address.js";

/**
 * The address whose reverse name this is, in lower case; undefined when it is none. As `ExtractAddressFromReverse` in
 * `plugin/pkg/dnsutil/reverse.go` of CoreDNS.
 */
export function addressOfReverseName(name: string): string | undefined {
  if (name.endsWith(".in-addr.arpa")) {
    const address = hostAddress(labelsBefore(name, ".in-addr.arpa").join("."));
    return address?.type === "A" ? address.address : undefined;
  }
  if (!name.endsWith(".ip6.arpa")) return undefined;
  const nibbles = labelsBefore(name, ".ip6.arpa");
  if (nibbles.length !== 32 || nibbles.some((nibble) => !/^[\da-f]$/.test(nibble))) return undefined;
  return formatAddress(Buffer.from(nibbles.join(""), "hex"));
}

const labelsBefore = (name: string, suffix: string): string[] => name.slice(0, -suffix.length).split(".").toReversed();
