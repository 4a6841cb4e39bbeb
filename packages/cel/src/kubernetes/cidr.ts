import { quoteGo } from "@coxswain/apimachinery/text";
import {
  formatIpAsWritten,
  type IpNetwork,
  maskedAddress,
  parseGoPrefix,
  sameAddress,
} from "@coxswain/apimachinery/validation";
import { costs } from "../cost/factors.js";
import { addEstimates, type CostEstimate, fixed, multiplyByFactor, sizeOfNode } from "../declarations/estimate.js";
import { type Overload } from "../declarations/function-declaration.js";
import { type Library } from "../library/library.js";
import { boolType, intType, opaqueType, stringType, type Type } from "../types/type.js";
import { sizeOf } from "../values/type-of.js";
import { CelError, noSuchOverload, OpaqueValue, type Value } from "../values/value.js";
import { IpValue, ipType, toIp } from "./ip.js";
import { type CallCosts, readsText } from "./text-costs.js";

export const cidrType = opaqueType("net.CIDR");

export class CidrValue extends OpaqueValue {
  readonly type = cidrType;
  readonly network: IpNetwork;
  /** Bytes that the prefix takes. */
  override readonly size: number;
  constructor(network: IpNetwork) {
    super();
    this.network = network;
    this.size = Math.ceil(network.prefixLength / 8);
  }
  override canEqual(other: Value): boolean {
    return other instanceof CidrValue;
  }
  equals(other: Value): boolean {
    if (!(other instanceof CidrValue)) return false;
    const { address, prefixLength } = this.network;
    const { address: otherAddress, prefixLength: otherLength } = other.network;
    return prefixLength === otherLength && address.isV4 === otherAddress.isV4 && sameAddress(address, otherAddress);
  }
  toString(): string {
    return `${formatIpAsWritten(this.network.address)}/${this.network.prefixLength}`;
  }
}

const parseError = "network address parse error during conversion from string";

function toCidr(text: string): CidrValue | CelError {
  const network = parseGoPrefix(text);
  // Upstream's message has it twice.
  if (typeof network === "string") return new CelError(`${parseError}: ${parseError}: ${network}`);
  if (network.address.isV4InV6)
    return new CelError(`${parseError}: IPv4-mapped IPv6 address ${quoteGo(text)} is not allowed`);
  return new CidrValue(network);
}

/** Whether the network of that length around the address is ours. */
function contains({ network }: CidrValue, { address, prefixLength }: IpNetwork): boolean {
  if (network.address.isV4 !== address.isV4 || network.prefixLength > prefixLength) return false;
  const around = maskedAddress({ ...network, address });
  return sameAddress(maskedAddress(network), around);
}

/** A text that is no address is reported as a wrong type, as upstream does (k8s.io/apiserver/pkg/cel/library/cidr.go, stringToCIDR). */
const containsIp = (cidr: CidrValue, ip: IpValue | CelError): Value =>
  ip instanceof CelError ? noSuchOverload() : contains(cidr, { address: ip.address, prefixLength: 128, strict: true });

const containsCidr = (cidr: CidrValue, other: CidrValue | CelError): Value =>
  other instanceof CelError ? other : contains(cidr, other.network);

const masked = ({ network }: CidrValue): CidrValue => new CidrValue({ ...network, address: maskedAddress(network) });

/** Four bytes of an address, or sixteen. */
const addressSize = { min: 4n, max: 16n };
const byText = (size: CostEstimate): CostEstimate => multiplyByFactor(size, costs.stringTraversal);
const traversal = (size: number): number => Math.ceil(size * costs.stringTraversal);

/** Two prefixes are compared; a network is masked first, and a text is read. */
const containsCosts = ({ masks, reads }: { masks: boolean; reads: boolean }): CallCosts => ({
  estimateCost(estimator, _target, [other]) {
    if (other === undefined) return undefined;
    let cost = byText(addEstimates(addressSize, addressSize));
    if (masks) cost = addEstimates(addEstimates(cost, byText(addressSize)), fixed(1));
    return { cost: reads ? addEstimates(cost, byText(sizeOfNode(estimator, other))) : cost };
  },
  trackCost([cidr, other]) {
    const size = sizeOf(cidr as Value);
    const masking = masks ? traversal(size) + 1 : 0;
    return traversal(2 * size) + masking + (reads ? traversal(sizeOf(other as Value)) : 0);
  },
});

const member = (
  id: string,
  args: readonly Type[],
  result: Type,
  implementation: (cidr: CidrValue, other: Value) => Value,
): Overload => ({
  id,
  args: [cidrType, ...args],
  result,
  isMember: true,
  implementation: (cidr, other) => implementation(cidr as CidrValue, other as Value),
});

/** Networks; since 1.30. */
export const cidrLibrary: Library = {
  name: "kubernetes.net.cidr",
  types: [cidrType],
  functions: [
    {
      name: "cidr",
      overloads: [
        {
          id: "string_to_cidr",
          args: [stringType],
          result: cidrType,
          implementation: (text) => toCidr(text as string),
        },
      ],
      ...readsText(),
    },
    {
      name: "isCIDR",
      overloads: [
        {
          id: "is_cidr",
          args: [stringType],
          result: boolType,
          implementation: (text) => toCidr(text as string) instanceof CidrValue,
        },
      ],
      ...readsText(),
    },
    {
      name: "containsIP",
      overloads: [
        {
          ...member("cidr_contains_ip_string", [stringType], boolType, (cidr, text) =>
            containsIp(cidr, toIp(text as string)),
          ),
          ...containsCosts({ masks: false, reads: true }),
        },
        member("cidr_contains_ip_ip", [ipType], boolType, (cidr, ip) => containsIp(cidr, ip as IpValue)),
      ],
      ...containsCosts({ masks: false, reads: false }),
    },
    {
      name: "containsCIDR",
      overloads: [
        {
          ...member("cidr_contains_cidr_string", [stringType], boolType, (cidr, text) =>
            containsCidr(cidr, toCidr(text as string)),
          ),
          ...containsCosts({ masks: true, reads: true }),
        },
        member("cidr_contains_cidr", [cidrType], boolType, (cidr, other) => containsCidr(cidr, other as CidrValue)),
      ],
      ...containsCosts({ masks: true, reads: false }),
    },
    { name: "ip", overloads: [member("cidr_ip", [], ipType, ({ network }) => new IpValue(network.address))] },
    {
      name: "prefixLength",
      overloads: [member("cidr_prefix_length", [], intType, ({ network }) => network.prefixLength)],
    },
    { name: "masked", overloads: [member("cidr_masked", [], cidrType, masked)] },
    {
      name: "string",
      overloads: [
        { id: "cidr_to_string", args: [cidrType], result: stringType, implementation: (cidr) => String(cidr) },
      ],
    },
  ],
};
