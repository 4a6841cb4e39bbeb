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

function taintFrom(text: string): NonNullable<NodeSpec["taints"]>[number] {
  const [, key = "", value, effect = ""] =
    /^([^=:]+)(?:=([^:]*))?:(NoSchedule|PreferNoSchedule|NoExecute)$/.exec(text) ?? [];
  if (key === "")
    throw new FlagError(
      `--register-with-taints must be key=value:effect, such as gpu=yes:NoSchedule, not ${JSON.stringify(text)}`,
    );
  return { key, effect: effect as NonNullable<NodeSpec["taints"]>[number]["effect"], ...(value && { value }) };
}
