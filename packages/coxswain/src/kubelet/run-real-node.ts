import { hostname } from "node:os";
import { FlagError } from "@coxswain/component/flags";
import { startNode } from "@coxswain/kubelet";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { servingCredentials } from "../component/serving-credentials.js";
import { clientAuthorityOf } from "./client-authority.js";
import { nodeSpecsFrom } from "./node-specs.js";
import type { RealNodeConfig } from "./real-config-file.js";
import type { KubeletOptions, RunContext } from "./run-context.js";
import { serveHealth } from "./serve-health.js";

/** This machine as a node, until it is asked to end; what runs goes on then. */
export async function runRealNode(
  options: KubeletOptions,
  config: RealNodeConfig,
  { client, log, ended }: RunContext,
): Promise<number> {
  if (options.nodes !== 1) throw new FlagError("--nodes: this machine is one node with --container-runtime-endpoint");
  if (process.getuid?.() !== 0) throw new FlagError("--container-runtime-endpoint needs root: it mounts volumes");
  const [named] = nodeSpecsFrom(options, hostname());
  if (!named) throw new Error("there is no node");
  const { address: _, ...unplaced } = named;
  const taints = [...(named.taints ?? []), ...(config.registerWithTaints ?? [])];
  const spec = {
    ...unplaced,
    ...(options.nodeIp !== undefined && { address: options.nodeIp }),
    ...(taints.length > 0 && { taints }),
  };
  // Flags have defaults of simulated nodes: the file counts where it has the member.
  const port = config.port ?? options.port;
  const address = config.address ?? (options.address === "127.0.0.1" ? (options.nodeIp ?? "0.0.0.0") : options.address);
  const node = startNode({
    client,
    spec,
    config: { ...config, ...(options.podManifestPath !== undefined && { staticPodPath: options.podManifestPath }) },
    endpoint: config.containerRuntimeEndpoint,
    rootDir: options.rootDir,
    kubeletPort: port,
    runtime: systemRuntime({ log }),
  });
  const certificate = options.tlsCertFile ?? config.tlsCertFile;
  const key = options.tlsPrivateKeyFile ?? config.tlsPrivateKeyFile;
  const credentials = servingCredentials({ certificate, key }, { clock: systemClock, random: systemRandom });
  try {
    const clientAuthority = await clientAuthorityOf(
      { clientCaFile: options.clientCaFile ?? config.authentication?.x509?.clientCAFile },
      client,
    );
    await node.server.listen({ port, host: address, clientAuthority, ...credentials });
    if (config.readOnlyPort) await node.server.listenReadOnly({ port: config.readOnlyPort, host: address });
    const healthzPort = config.healthzPort ?? options.healthzPort;
    const healthzAddress = config.healthzBindAddress ?? options.healthzBindAddress;
    const health = healthzPort === 0 ? undefined : await serveHealth(healthzPort, healthzAddress);
    await node.ready;
    process.stdout.write(`Node ${spec.name} is registered, served on https://${address}:${port}\n`);
    await ended;
    await health?.stop();
    return 0;
  } finally {
    await node.stop();
  }
}
