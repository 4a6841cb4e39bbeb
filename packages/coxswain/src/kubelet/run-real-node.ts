import { FlagError } from "@coxswain/component/flags";
import { systemRuntime } from "@coxswain/runtime";
import type { RealNodeConfig } from "./real-config-file.js";
import type { KubeletOptions, RunContext } from "./run-context.js";
import { startRealNode } from "./start-real-node.js";

/** This machine as a node, until it is asked to end; what runs goes on then. */
export async function runRealNode(
  options: KubeletOptions,
  config: RealNodeConfig,
  { client, log, ended, clientCertificate }: RunContext,
): Promise<number> {
  if (options.nodes !== 1) throw new FlagError("--nodes: this machine is one node with --container-runtime-endpoint");
  const node = await startRealNode(options, config, { client, clientCertificate, runtime: systemRuntime({ log }) });
  process.stdout.write(`Node ${node.name} is registered, served on ${node.url}\n`);
  await ended;
  await node.stop();
  return 0;
}
