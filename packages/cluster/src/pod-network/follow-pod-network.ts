import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Node } from "@coxswain/api/core/v1";
import type { Client } from "@coxswain/client";
import { createSharedInformer, filterListerWatcher } from "@coxswain/client/informers";
import { cniConfig, cniFile } from "@coxswain/machines";
import type { Runtime } from "@coxswain/runtime";

export interface PodNetworkOptions {
  /** In the node's own name. */
  readonly client: Client;
  readonly nodeName: string;
  /** Where the container runtime looks for CNI configurations. */
  readonly cniFolder: string;
  /** How large packets of pods may be. @default what the kernel chooses */
  readonly mtu?: number | undefined;
  /** Leaves out networks of the other family. */
  readonly isIpv4Only?: boolean;
}

/** Gives the container runtime its network of pods as soon as the Node has one; before that the node is not ready. */
export function followPodNetwork(
  runtime: Runtime,
  { client, nodeName, cniFolder, mtu, isIpv4Only = false }: PodNetworkOptions,
): { stop(): Promise<void> } {
  let written = "";
  const nodes = createSharedInformer<Node>({
    listerWatcher: filterListerWatcher(client.core.v1.nodes(), { fieldSelector: `metadata.name=${nodeName}` }),
    runtime,
  });
  const write = ({ spec }: { readonly spec?: { readonly podCIDRs?: readonly string[] } }): void => {
    const networks = (spec?.podCIDRs ?? []).filter((one) => !isIpv4Only || !one.includes(":"));
    const content = networks.length > 0 ? cniConfig(networks, mtu) : "";
    if (content === "" || content === written) return;
    written = content;
    void writeFile(join(cniFolder, cniFile), content).catch((error: unknown) => {
      written = "";
      runtime.log.error("the CNI configuration cannot be written", { error });
    });
  };
  nodes.addHandler({ onAdd: write, onUpdate: (_, node) => write(node) });
  nodes.start();
  return { stop: () => nodes.stop() };
}
