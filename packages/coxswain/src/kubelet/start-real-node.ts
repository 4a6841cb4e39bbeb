import { hostname } from "node:os";
import type { ConnectedClient } from "@coxswain/client/node";
import { FlagError } from "@coxswain/component/flags";
import { type CertificateLife, startNode } from "@coxswain/kubelet";
import type { Runtime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { servingCredentials } from "../component/serving-credentials.js";
import { type KeptServingCertificate, keepServingCertificate } from "./certificates/serving-certificate.js";
import { clientAuthorityOf } from "./client-authority.js";
import { followServingFiles } from "./follow-serving-files.js";
import { nodeAddressesFrom, nodeSpecsFrom } from "./node-specs.js";
import type { RealNodeConfig } from "./real-config-file.js";
import type { KubeletOptions } from "./run-context.js";
import { serveHealth } from "./serve-health.js";

/** The flags that count for a node whose containers really run. */
export type RealNodeOptions = Omit<KubeletOptions, "nodes" | "help" | "kubeconfig" | "runtimeCgroups">;

export interface RealNodeContext {
  /** In the node's own name. */
  readonly client: ConnectedClient;
  readonly runtime: Runtime;
  readonly clientCertificate?: CertificateLife | undefined;
}

export interface RunningRealNode {
  readonly name: string;
  /** Where its server answers. */
  readonly url: string;
  /** Of a serving certificate by the cluster: what another authority than the first of these has signed is replaced. */
  trusts(bundle: string): void;
  /** Ends the kubelet; what runs goes on. */
  stop(): Promise<void>;
}

/** One flag without the other is refused, as upstream's kubelet does (pkg/credentialprovider/plugin/plugin.go, RegisterCredentialProviderPlugins). */
function credentialProviders({
  imageCredentialProviderConfig: configPath,
  imageCredentialProviderBinDir: directory,
}: RealNodeOptions): { credentialProviders?: { configPath: string; directory: string } } {
  if (configPath === undefined && directory === undefined) return {};
  if (configPath === undefined || directory === undefined)
    throw new FlagError(
      "--image-credential-provider-config and --image-credential-provider-bin-dir must be set together",
    );
  return { credentialProviders: { configPath, directory } };
}

/** What the kubelet's server uses now; without a certificate it waits for the cluster's. */
interface Serving {
  readonly clientAuthority: string;
  readonly certificate?: string;
  readonly key?: string;
}

/** Each change is of a part, and the whole is used. */
function replacing(serving: Serving, use: (serving: Serving) => void): (next: Partial<Serving>) => void {
  let current = serving;
  return (next) => {
    const changed = { ...current, ...next };
    use(changed);
    current = changed;
  };
}

/** The kubelet of this machine with its servers; resolves when the node is registered. @throws FlagError */
export async function startRealNode(
  options: RealNodeOptions,
  config: RealNodeConfig,
  { client, runtime, clientCertificate }: RealNodeContext,
): Promise<RunningRealNode> {
  if (process.getuid?.() !== 0) throw new FlagError("--container-runtime-endpoint needs root: it mounts volumes");
  const [named] = nodeSpecsFrom({ ...options, nodes: 1 }, hostname());
  if (!named) throw new Error("there is no node");
  const { address: _, ...unplaced } = named;
  const [ownAddress, otherAddress] = nodeAddressesFrom(options.nodeIp);
  const taints = [...(named.taints ?? []), ...(config.registerWithTaints ?? [])];
  const spec = {
    ...unplaced,
    ...(ownAddress !== undefined && { address: ownAddress }),
    ...(otherAddress !== undefined && { otherAddress }),
    ...(taints.length > 0 && { taints }),
  };
  // Flags have defaults of simulated nodes: the file counts where it has the member.
  const port = config.port ?? options.port;
  const address = config.address ?? (options.address === "127.0.0.1" ? (ownAddress ?? "0.0.0.0") : options.address);
  const node = startNode({
    client,
    spec,
    config: { ...config, ...(options.podManifestPath !== undefined && { staticPodPath: options.podManifestPath }) },
    endpoint: config.containerRuntimeEndpoint,
    rootDir: options.rootDir,
    ...credentialProviders(options),
    kubeletPort: port,
    clientCertificate,
    runtime,
  });
  const certificate = options.tlsCertFile ?? config.tlsCertFile;
  const key = options.tlsPrivateKeyFile ?? config.tlsPrivateKeyFile;
  // As upstream has it (cmd/kubelet/app/server.go, InitializeTLS): files that are named come before a certificate of the cluster.
  const isBootstrapped = config.serverTLSBootstrap === true && certificate === undefined;
  const credentials = isBootstrapped
    ? {}
    : servingCredentials({ certificate, key }, { clock: systemClock, random: systemRandom });
  const started: { stop(): Promise<void> }[] = [node];
  let kept: KeptServingCertificate | undefined;
  const stop = async (): Promise<void> => {
    for (const one of started.splice(0).reverse()) await one.stop();
  };
  try {
    const clientCaFile = options.clientCaFile ?? config.authentication?.x509?.clientCAFile;
    const serving: Serving = { clientAuthority: await clientAuthorityOf({ clientCaFile }, client), ...credentials };
    await node.server.listen({ port, host: address, ...serving });
    const replace = replacing(serving, (next) => node.server.replaceCredentials(next));
    const followed = followServingFiles(
      { clientCa: clientCaFile, certificate, key },
      {
        log: runtime.log,
        use: ({ clientAuthority, pair }) =>
          replace({ ...(clientAuthority !== undefined && { clientAuthority }), ...pair }),
      },
    );
    started.push({ stop: async () => followed.stop() });
    if (config.readOnlyPort) await node.server.listenReadOnly({ port: config.readOnlyPort, host: address });
    const healthzPort = config.healthzPort ?? options.healthzPort;
    const healthzAddress = config.healthzBindAddress ?? options.healthzBindAddress;
    if (healthzPort !== 0) started.push(await serveHealth(healthzPort, healthzAddress));
    await node.ready;
    if (isBootstrapped) {
      const serve = (pair: string): void => replace({ certificate: pair, key: pair });
      const { rootDir } = options;
      kept = await keepServingCertificate(runtime, { client, nodeName: spec.name, rootDir, serve });
      started.push(kept);
    }
    return {
      name: spec.name,
      url: `https://${address}:${port}`,
      trusts: (bundle) => kept?.trusts(bundle),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
