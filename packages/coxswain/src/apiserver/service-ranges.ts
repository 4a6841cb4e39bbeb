import { type IpNetwork, parseCidr } from "@coxswain/apimachinery/validation";
import { FlagError } from "@coxswain/component/flags";

/** The API server and the first few services need addresses too. */
const fewestAddressBits = 3;

/** Checks `--service-cluster-ip-range`: one range, or one of each family. What the server makes of it itself it does not check again. */
export function checkServiceRanges(ranges: readonly string[]): readonly string[] {
  const flag = "--service-cluster-ip-range";
  if (ranges.length === 0) throw new FlagError(`${flag} must contain at least one valid cidr`);
  if (ranges.length > 2) throw new FlagError(`${flag} must not contain more than two entries`);
  const networks = ranges.map((text): IpNetwork => {
    const network = parseCidr(text.trim());
    if (!network?.strict) throw new FlagError(`${flag}: "${text}" is no range of addresses, as 10.96.0.0/16 is one`);
    if ((network.address.isV4 ? 32 : 128) - network.prefixLength < fewestAddressBits)
      throw new FlagError(`${flag}: ${text} must hold at least ${2 ** fewestAddressBits} addresses`);
    return network;
  });
  if (networks.length === 2 && networks[0]?.address.isV4 === networks[1]?.address.isV4)
    throw new FlagError(`${flag}[0] and ${flag}[1] must be of different IP family`);
  return ranges;
}
