import { isIPv4 } from "node:net";
import { FlagError } from "@coxswain/component/flags";
import type { GatewayAddresses } from "@coxswain/gateway";

/** From `--gateway-addresses`. @throws FlagError */
export function gatewayAddressesFrom(range: string | undefined, bindAddress: string): GatewayAddresses {
  if (range === undefined) return { kind: "single", address: bindAddress };
  const [first = "", last = "", ...more] = range.split("-");
  if (!isIPv4(first) || !isIPv4(last) || more.length > 0)
    throw new FlagError(`--gateway-addresses "${range}" is not two IPv4 addresses with a hyphen between them`);
  return { kind: "range", first, last };
}
