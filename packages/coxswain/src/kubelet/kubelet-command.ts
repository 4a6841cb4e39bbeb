import { hostname } from "node:os";
import { kubernetesRelease } from "@coxswain/api/release";
import { type Client, createClient } from "@coxswain/client";
import { connect, loadConfig } from "@coxswain/client/node";
import { formatHelp, parseOnlyFlags } from "@coxswain/component/flags";
import { createJournaledVolumes, startNodes } from "@coxswain/kubelet";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { loggerFrom } from "../command/log-flags.js";
import { untilSignal } from "../command/until-signal.js";
import { serverIsHealthy } from "../component/cluster-connection.js";
import { servingCredentials } from "../component/serving-credentials.js";
import { actAsNode } from "./act-as-node.js";
import { identityFor } from "./certificates/identity-for.js";
import { clientAuthorityOf } from "./client-authority.js";
import { kubeletCommandFlags } from "./kubelet-command-flags.js";
import { readKubeletConfig } from "./kubelet-config-file.js";
import { nodeSpecsFrom } from "./node-specs.js";
import { readRealConfig } from "./real-config-file.js";
import type { KubeletOptions, RunContext } from "./run-context.js";
import { runRealNode } from "./run-real-node.js";
import { serveHealth } from "./serve-health.js";

export async function runKubelet(args: readonly string[]): Promise<number> {
  const parsed = parseOnlyFlags(kubeletCommandFlags, args);
  if (parsed.kind === "help") {
    process.stdout.write(
      formatHelp(kubeletCommandFlags, {
        usage: "coxswain kubelet [flags]",
        description:
          "Runs nodes in the cluster of a kubeconfig, in the foreground: simulated ones, or this machine with --container-runtime-endpoint.",
      }),
    );
    return 0;
  }
  const { options } = parsed;
  const log = loggerFrom(options);
  const ending = new AbortController();
  const signal = untilSignal().then(() => ending.abort());
  const config = loadConfig(options.kubeconfig === undefined ? {} : { path: options.kubeconfig });
  const shared = { userAgent: `kubelet/${kubernetesRelease.gitVersion}`, onWarning: () => {} };
  const { containerRuntimeEndpoint: endpoint, config: file } = options;
  const real = readRealConfig({ file, directory: options.configDir, endpoint });
  const nodeName = (options.hostnameOverride ?? hostname()).toLowerCase();
  const identity = real && identityFor(systemRuntime({ log }), config, { config: real, nodeName });
  const client = connect(config, { ...shared, ...(identity && { identity }) });
  identity?.follow(client);
  try {
    await serverIsHealthy(client, systemClock, ending.signal);
    if (ending.signal.aborted) return 0;
    const clientFor = (name: string): Client =>
      createClient({ ...shared, transport: client.sockets, interceptors: [actAsNode(name)] });
    const context = { client, clientFor, log, ended: signal, clientCertificate: identity };
    return await (real ? runRealNode(options, real, context) : run(options, context));
  } catch (error) {
    log.error("the kubelet ends", { error });
    return 1;
  } finally {
    await identity?.stop();
    await client.close();
  }
}

async function run(options: KubeletOptions, { client, clientFor, log, ended }: RunContext): Promise<number> {
  const specs = nodeSpecsFrom(options, hostname());
  const [only] = specs;
  const { address, port } = options;
  const isAlone = specs.length === 1;
  const { podManifestPath } = options;
  const kubelet = {
    ...readKubeletConfig(options.config),
    ...(podManifestPath !== undefined && { staticPodPath: podManifestPath }),
  };
  const runtime = systemRuntime({ log });
  const { volumesDir: directory } = options;
  const nodes = startNodes({
    client,
    // A single node uses the identity of its kubeconfig.
    ...(isAlone ? {} : { clientFor }),
    nodes: specs,
    settings: {
      kubeletPort: port,
      ownPodsOnly: isAlone,
      kubelet,
      ...(directory !== undefined && { volumes: createJournaledVolumes({ runtime, directory }) }),
    },
    runtime,
  });
  const credentials = servingCredentials(
    { certificate: options.tlsCertFile, key: options.tlsPrivateKeyFile },
    { clock: systemClock, random: systemRandom },
  );
  try {
    const clientAuthority = await clientAuthorityOf(options, client);
    await nodes.server.listen({ port, host: address, clientAuthority, ...credentials });
    const health =
      options.healthzPort === 0 ? undefined : await serveHealth(options.healthzPort, options.healthzBindAddress);
    await nodes.ready;
    process.stdout.write(
      `${isAlone ? `Node ${only?.name} is` : `${specs.length} nodes are`} ready, served on https://${address}:${port}\n`,
    );
    await ended;
    await health?.stop();
    return 0;
  } finally {
    await nodes.stop();
  }
}
