import { type Runtime, systemRuntime } from "@coxswain/runtime";
import type { Clock } from "@coxswain/runtime/clock";
import { type ClientConfig, KubeconfigError, setUser } from "../kubeconfig/index.js";
import { type Client, type ClientOptions, createClient } from "../typed/index.js";
import { certificateIdentity, pemSource } from "./auth/certificate-files.js";
import { type ExecCluster, execIdentity } from "./auth/exec-plugin.js";
import { basicAuth, bearerToken, combineIdentities, fixedIdentity, type IdentitySource } from "./auth/identity.js";
import { oidcIdentity } from "./auth/oidc.js";
import { tokenFileIdentity } from "./auth/token-file.js";
import { createNodeTransport, type NodeTransport, type TlsMaterial } from "./http/index.js";
import { inClusterConfig } from "./kubeconfig/in-cluster.js";
import {
  kubeconfigFiles,
  type LoadKubeconfigOptions,
  loadKubeconfig,
  readKubeconfigs,
} from "./kubeconfig/load-kubeconfig.js";
import { updateKubeconfig } from "./kubeconfig/update-kubeconfig.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** The kubeconfig, or else what a pod has inside a cluster: the order of kubectl and client-go. @throws KubeconfigError */
export function loadConfig(options: LoadKubeconfigOptions = {}): ClientConfig {
  const { environment = process.env } = options;
  const merged = readKubeconfigs(options);
  if (merged.clusters.size > 0) return loadKubeconfig(options);
  const inside = inClusterConfig({ environment });
  if (inside !== undefined)
    return options.namespace === undefined ? inside : { ...inside, namespace: options.namespace };
  const files = options.path === undefined ? kubeconfigFiles(environment) : [options.path];
  throw new KubeconfigError("it is missing or has no clusters, and this is no pod in a cluster", {
    file: files.join(", "),
  });
}

export interface TransportSettings {
  readonly environment?: Environment;
  /** Sockets and credentials live by its `ioClock`. @default systemRuntime() */
  readonly runtime?: Runtime;
  /** Who the client is, instead of whom the configuration names. */
  readonly identity?: IdentitySource;
  /** How long what was read of a file with certificates counts, in milliseconds. @default five minutes, as client-go's */
  readonly certificatePeriodMs?: number;
}

/** A transport to the cluster of a configuration. Nothing is connected, read or run before the first request. */
export function createTransport(config: ClientConfig, settings: TransportSettings = {}): NodeTransport {
  const { environment = process.env, runtime = systemRuntime(), certificatePeriodMs: periodMs } = settings;
  const { ioClock: clock } = runtime;
  const readAuthority = config.certificateAuthority && pemSource(config.certificateAuthority, { clock, periodMs });
  const tls = async (): Promise<TlsMaterial> => ({
    ca: await readAuthority?.(),
    serverName: config.tlsServerName,
    insecure: config.insecureSkipTlsVerify,
  });
  return createNodeTransport({
    server: config.server,
    tls,
    identity: settings.identity ?? identityOf(config, { environment, clock, tls, periodMs }),
    impersonate: config.impersonate,
    proxyUrl: config.proxyUrl,
    disableCompression: config.disableCompression,
    environment,
    runtime,
  });
}

interface IdentityParts {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly tls: () => Promise<TlsMaterial>;
  readonly periodMs: number | undefined;
}

function identityOf(config: ClientConfig, { environment, clock, tls, periodMs }: IdentityParts): IdentitySource {
  const sources: IdentitySource[] = [];
  if (config.clientCertificate) sources.push(certificateIdentity(config.clientCertificate, { clock, periodMs }));
  if (config.basic) sources.push(fixedIdentity(basicAuth(config.basic.username, config.basic.password)));
  if (config.tokenFile) sources.push(tokenFileIdentity(config.tokenFile, { clock }));
  else if (config.token) sources.push(fixedIdentity(bearerToken(config.token)));
  // As client-go: a program is not run where there is another way.
  if (sources.length === 0 && config.exec)
    sources.push(
      execIdentity(config.exec, {
        clock,
        environment,
        cluster: async () => execCluster(config, (await tls()).ca),
        isTerminal: () => process.stdin.isTTY === true,
      }),
    );
  const { oidc } = config;
  if (sources.length === 0 && oidc)
    sources.push(
      oidcIdentity(oidc, {
        clock,
        async onTokens({ idToken, refreshToken }) {
          const place = oidc.kubeconfig;
          if (place === undefined) return;
          await updateKubeconfig(place.file, (kubeconfig) => withTokens(kubeconfig, place.user, idToken, refreshToken));
        },
      }),
    );
  return combineIdentities(sources);
}

function withTokens(kubeconfig: Parameters<typeof setUser>[0], user: string, idToken: string, refreshToken: string) {
  const provider = kubeconfig.users?.find(({ name }) => name === user)?.user["auth-provider"];
  if (provider === undefined) return kubeconfig;
  const config = { ...provider.config, "id-token": idToken, "refresh-token": refreshToken };
  return setUser(kubeconfig, user, { "auth-provider": { ...provider, config } });
}

function execCluster(config: ClientConfig, ca: string | undefined): ExecCluster {
  return {
    server: config.server,
    ...(config.tlsServerName && { "tls-server-name": config.tlsServerName }),
    ...(config.insecureSkipTlsVerify && { "insecure-skip-tls-verify": true }),
    ...(ca !== undefined && { "certificate-authority-data": Buffer.from(ca).toString("base64") }),
    ...(config.proxyUrl && { "proxy-url": config.proxyUrl }),
    ...(config.disableCompression && { "disable-compression": true }),
    ...(config.exec?.clusterConfig !== undefined && { config: config.exec.clusterConfig }),
  };
}

/** A client over sockets: its transport also carries exec, attach and port-forward. */
export interface ConnectedClient extends Client {
  readonly sockets: NodeTransport;
  /** The namespace of the context or of the pod. */
  readonly defaultNamespace: string;
}

export type ConnectOptions = Omit<ClientOptions, "transport"> & TransportSettings;

/** A client for a configuration. @default config: what `loadConfig()` finds */
export function connect(config: ClientConfig = loadConfig(), options: ConnectOptions = {}): ConnectedClient {
  const sockets = createTransport(config, options);
  const client = createClient({ ...options, transport: sockets });
  return Object.assign(client, { sockets, defaultNamespace: config.namespace ?? "default" });
}
