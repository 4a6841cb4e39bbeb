import { isIP, isIPv6 } from "node:net";
import { FlagError, type OptionsOf } from "@coxswain/component/flags";
import type { NodeSpec } from "@coxswain/kubelet";
import type { kubeletCommandFlags } from "./kubelet-command-flags.js";

type NodeFlags = Pick<
  OptionsOf<typeof kubeletCommandFlags>,
  "nodes" | "hostnameOverride" | "nodeIp" | "address" | "nodeLabels" | "registerWithTaints"
>;

/** Pure: the nodes that the flags ask for. @throws FlagError */
export function nodeSpecsFrom(options: NodeFlags, hostname: string): NodeSpec[] {
  const name = (options.hostnameOverride ?? hostname).toLowerCase();
  const taints = options.registerWithTaints.map(taintFrom);
  const shared = {
    address: options.nodeIp ?? options.address,
    ...(options.nodeLabels.size > 0 && { labels: Object.fromEntries(options.nodeLabels) }),
    ...(taints.length > 0 && { taints }),
  };
  if (options.nodes === 1) return [{ name, ...shared }];
  return Array.from({ length: options.nodes }, (_, index) => ({ name: `${name}-${index}`, ...shared }));
}

/** Of one family each, as upstream's `component-helpers/node/util/ips.go` has it; empty: none is given. @throws FlagError */
export function nodeAddressesFrom(text: string | undefined): string[] {
  const addresses = text === undefined ? [] : text.split(",").map((one) => one.trim());
  const [first = "", second] = addresses;
  const isPair = second === undefined || isIPv6(first) !== isIPv6(second);
  if (addresses.length > 2 || !isPair || addresses.some((one) => isIP(one) === 0))
    throw new FlagError(
      `--node-ip must contain either a single IP or a dual-stack pair of IPs, not ${JSON.stringify(text)}`,
    );
  if (second !== undefined && addresses.some((one) => one === "0.0.0.0" || one === "::"))
    throw new FlagError("--node-ip: dual-stack node IP cannot include '0.0.0.0' or '::'");
  return addresses;
}

function taintFrom(text: string): NonNullable<NodeSpec["taints"]>[number] {
  const [, key = "", value, effect = ""] =
    /^([^=:]+)(?:=([^:]*))?:(NoSchedule|PreferNoSchedule|NoExecute)$/.exec(text) ?? [];
  if (key === "")
    throw new FlagError(
      `--register-with-taints must be key=value:effect, such as gpu=yes:NoSchedule, not ${JSON.stringify(text)}`,
    );
  return { key, effect: effect as NonNullable<NodeSpec["taints"]>[number]["effect"], ...(value && { value }) };
}
