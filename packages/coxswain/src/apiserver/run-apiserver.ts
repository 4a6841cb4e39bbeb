import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { type ApiServer, type ApiServerOptions, type LimitOptions, listen, startApiServer } from "@coxswain/apiserver";
import { type ClusterCertificates, ensureCertificates } from "@coxswain/component/certificates";
import type { FileOwner } from "@coxswain/component/files";
import { writeKubeconfig } from "@coxswain/component/kubeconfig";
import { levelOfVerbosity } from "@coxswain/component/log";
import { createMetrics } from "@coxswain/component/metrics";
import type { Runtime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import type { Logger } from "@coxswain/runtime/log";
import type { Metrics } from "@coxswain/runtime/metrics";
import { systemRandom } from "@coxswain/runtime/random";
import type { KeyValueStore } from "@coxswain/storage";
import { connectionLimit } from "../command/connection-limit.js";
import { openStore } from "../engine/open-store.js";
import { offerEtcd } from "../store/offer-etcd.js";
import { offerStore } from "../store/offer-store.js";
import { advertisedAddress, localAddress, namesOf, publicAddress } from "./advertised-address.js";
import type { AggregationSetup } from "./aggregation-flags.js";
import { type AuthenticationSetup, forListener } from "./authentication.js";
import type { AuthorizationSetup } from "./authorizers.js";
import { followFiles } from "./follow-files.js";
import { holdRequests } from "./hold-requests.js";
import type { KubeletSetup } from "./kubelet-flags.js";
import type { ListeningSetup } from "./listening-flags.js";
import { type ShutdownOptions, shutDown } from "./shut-down.js";
import type { StoreSetup } from "./store-flags.js";
import { readCredentials } from "./tls-files.js";
import { tracedRuntime } from "./traced-runtime.js";

export interface RunOptions {
  readonly dataDir: string;
  /** @default kubeconfig in the data directory */
  readonly writeKubeconfig: string | undefined;
  /** Who may read it. @default the user of this process */
  readonly kubeconfigOwner?: FileOwner | undefined;
  /** Whether the kubeconfig is written by `announce`, for whom there is more to wait for, and not as soon as clients can connect. @default false */
  readonly announcesLater?: boolean;
  readonly store: StoreSetup;
  readonly listening: ListeningSetup;
  readonly authentication: AuthenticationSetup;
  readonly authorization: AuthorizationSetup;
  readonly kubelet: KubeletSetup;
  readonly aggregation: AggregationSetup;
  readonly shutdown: ShutdownOptions;
  /** Passed through. */
  readonly server: Omit<
    ApiServerOptions,
    | "runtime"
    | "store"
    | "authentication"
    | "authorizers"
    | "kubelet"
    | "aggregation"
    | "identity"
    | "endpoint"
    | "limits"
  > & { readonly limits: LimitOptions & { readonly requestTimeoutMs: number } };
}

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  readonly kubeconfig: string;
  /** For components in the same process. */
  readonly server: ApiServer;
  /** As they were at the start. */
  readonly certificates: ClusterCertificates;
  /** As they are now: they are renewed, and their authorities rotated, while it runs. */
  certificatesNow(): ClusterCertificates;
  /** Called with the new ones after each change, until it stops. */
  onRenewed(listener: (certificates: ClusterCertificates) => void): void;
  /** Writes the kubeconfig. */
  announce(): void;
  /** Rejects when the store fails for good. */
  readonly failed: Promise<never>;
  /** Answers what is under way, then closes the store. */
  stop(): Promise<void>;
}

/** Opens the store and serves it. The kubeconfig is written once clients can connect; what they ask is answered when the server is ready. */
export async function runApiserver(options: RunOptions, log: Logger): Promise<RunningServer> {
  const dataDir = resolve(options.dataDir);
  const { bindAddress, externalHostname } = options.listening;
  const certificateOptions = { clock: systemClock, random: systemRandom, hosts: hostsOf(options.listening) };
  const certificates = ensureCertificates(dataDir, certificateOptions);
  const credentials = readCredentials(options.listening.tls, certificates);
  const metrics = createMetrics();
  const runtime = tracedRuntime({ log, metrics }, options.server.history);
  const signer = await options.authentication.connectSigner(runtime);
  const authentication = signer.apply(options.authentication.read(certificates, credentials.clientAuthority));
  const { store, kept, healthChecks, failed, close } = await openStore({ ...options.store, dataDir, runtime });
  const offered = offerKept(kept, options.store, dataDir, runtime); // Meanwhile: nobody needs it before the server is ready.
  const requests = holdRequests();
  const listener = await listen(
    {
      ...addressesOf(options.listening),
      ...forListener(credentials, authentication),
      ...options.listening.connections,
      ...connectionLimit({ clock: systemClock, log }),
      onHandshakeError: countHandshakeErrors(metrics),
      runtime,
    },
    (request, sink) => requests.take(request, sink),
  );
  const address = `${localAddress(bindAddress)}:${listener.port}`;
  const kubeconfig = keptKubeconfig(options, `https://${address}`, certificates);
  if (!options.announcesLater) kubeconfig.write();
  const server = await startApiServer({
    ...options.server,
    runtime,
    store,
    authentication,
    authorizers: options.authorization.authorizers,
    kubelet: options.kubelet.read(certificates),
    aggregation: options.aggregation.read(certificates),
    ...identityOf(options.listening, listener.port),
    preparedObjects: async () => (await import("../prepared-objects/none.js")).default,
    serverAddress: () =>
      externalHostname ?? publicAddress(options.listening.advertiseAddress, listener.port) ?? address,
    observability: {
      ...options.server.observability,
      metrics,
      healthChecks,
      startHooks: options.store.reloadEncryption ? ["start-encryption-provider-config-automatic-reload"] : [],
      setVerbosity: (verbosity) => log.setLevel(levelOfVerbosity(verbosity)),
    },
  });
  const renewals = createRenewals(certificates, (next) => kubeconfig.renew(next));
  const followed = followFiles(options, {
    dataDir,
    certificateOptions,
    certificates,
    credentials,
    authentication,
    listener,
    server,
    metrics,
    log,
    onRenewed: renewals.publish,
  });
  await offered;
  void runtime.scheduler.nextIteration().then(() => requests.release(server)); // after our caller has the server: a client that gets an answer may end it at once
  return {
    url: `https://${address}`,
    port: listener.port,
    kubeconfig: kubeconfig.file,
    server,
    ...renewals.shown,
    announce: () => kubeconfig.write(),
    failed: Promise.race([server.failed, failed]),
    async stop() {
      followed.stop();
      await shutDown(server, listener, options.shutdown, { runtime, ...options.server.limits });
      await signer.stop();
      await (await offered).stop();
      await close();
    },
  };
}

const addressesOf = ({ bindAddress, securePort, moreBindAddresses }: ListeningSetup) => ({
  host: bindAddress,
  port: securePort,
  moreHosts: moreBindAddresses,
});

type Shown = Pick<RunningServer, "certificates" | "certificatesNow" | "onRenewed">;

/** Who uses the certificates of the data directory learns of each change; `first` before all others. */
function createRenewals(
  certificates: ClusterCertificates,
  first: (next: ClusterCertificates) => void,
): { readonly shown: Shown; publish(next: ClusterCertificates): void } {
  let now = certificates;
  const listeners = [first];
  return {
    shown: { certificates, certificatesNow: () => now, onRenewed: (listener) => void listeners.push(listener) },
    publish(next) {
      now = next;
      for (const listener of listeners) listener(next);
    },
  };
}

/** To `coxswain store`, and by etcd's protocol where that was asked for. A failure may be awaited later. */
function offerKept(...args: Parameters<typeof offerStores>): ReturnType<typeof offerStores> {
  const offered = offerStores(...args);
  offered.catch(() => {});
  return offered;
}

async function offerStores(
  kept: KeyValueStore,
  { servedAsEtcd }: StoreSetup,
  dataDir: string,
  runtime: Runtime,
): Promise<{ stop(): Promise<void> }> {
  const { log } = runtime;
  const command = await offerStore(kept, dataDir, log);
  const etcd = servedAsEtcd && (await offerEtcd({ store: kept, serving: servedAsEtcd, dataDir, runtime }));
  if (etcd) log.info(`the store is served by etcd's protocol: etcdctl ${etcd.flags.join(" ")}`);
  return {
    async stop() {
      await command?.stop();
      await etcd?.stop();
    },
  };
}

function countHandshakeErrors(metrics: Metrics): () => void {
  const errors = metrics
    .counter({ name: "apiserver_tls_handshake_errors_total", help: "Handshakes that failed.", stability: "ALPHA" })
    .with();
  return () => errors.add(1);
}

/** How other servers and pods reach this one. */
function identityOf(
  { advertiseAddress, bindAddress }: ListeningSetup,
  port: number,
): Pick<ApiServerOptions, "identity" | "endpoint"> {
  const address = advertiseAddress ?? advertisedAddress(bindAddress);
  if (address === undefined) return { identity: { hostname: hostname() } };
  return { identity: { hostname: hostname(), peerAddress: `${address}:${port}` }, endpoint: { address, port } };
}

/** What clients call the server by. */
const hostsOf = ({ bindAddress, moreBindAddresses, externalHostname, ...more }: ListeningSetup): string[] => [
  ...namesOf(bindAddress),
  ...moreBindAddresses,
  ...more.certificateNames,
  ...(externalHostname === undefined ? [] : [externalHostname]),
];

/** The administrator's kubeconfig: written when clients may connect, and again when its certificates are renewed. */
function keptKubeconfig(
  { dataDir, writeKubeconfig: path, kubeconfigOwner: owner }: RunOptions,
  server: string,
  certificates: ClusterCertificates,
) {
  const file = resolve(path ?? join(dataDir, "kubeconfig"));
  let current = certificates;
  let isWritten = false;
  const write = (): void => {
    isWritten = true;
    const { ca, admin } = current;
    const config = {
      server,
      certificateAuthority: ca.certificate,
      clientCertificate: admin.certificate,
      clientKey: admin.key,
    };
    writeKubeconfig(file, config, owner);
  };
  return {
    file,
    write,
    renew(next: ClusterCertificates): void {
      current = next;
      if (isWritten) write();
    },
  };
}
