import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { systemClock } from "@coxswain/apimachinery/clock";
import { systemRandom } from "@coxswain/apimachinery/random";
import {
  type AuditOptions,
  type AuthorizerConfig,
  createReloadMeter,
  listen,
  startApiServer,
} from "@coxswain/apiserver";
import { ensureCertificates } from "@coxswain/component/certificates";
import { writeKubeconfig } from "@coxswain/component/kubeconfig";
import { levelOfVerbosity, type Logger } from "@coxswain/component/log";
import { createMetrics } from "@coxswain/component/metrics";
import { TaskScheduler } from "@coxswain/apimachinery/task-scheduler";
import { readAdmissionConfigFile } from "./admission-config.js";
import { advertisedAddress } from "./advertised-address.js";
import { watchAuthorizationConfig } from "./authorizers.js";
import { type AuthenticationSetup, followAuthorities, forListener } from "./authentication.js";
import type { Engine } from "./engine-flags.js";
import { holdRequests } from "./hold-requests.js";
import { followKubelet, type KubeletSetup } from "./kubelet-flags.js";
import { openStore } from "./open-store.js";
import { shutDown } from "./shut-down.js";
import { offerStore } from "./store/offer-store.js";
import type { SurfaceRunOptions } from "./surface-flags.js";
import { followCredentials, readCredentials } from "./tls-files.js";

export interface RunOptions {
  dataDir: string;
  bindAddress: string;
  securePort: number;
  /** @default kubeconfig in the data directory */
  writeKubeconfig: string | undefined;
  engine: Engine;
  encryptionProviderConfig: string | undefined;
  reloadEncryption: boolean;
  authorizers: readonly AuthorizerConfig[];
  /** The file that the authorizers are from; followed as long as the server runs. */
  authorizationConfig: string | undefined;
  authentication: AuthenticationSetup;
  featureGates: ReadonlyMap<string, string>;
  runtimeConfig: ReadonlyMap<string, string>;
  allowPrivileged: boolean;
  routesToEndpoints: boolean;
  admissionPlugins: { enabled: readonly string[]; disabled: readonly string[] };
  admissionConfigFile: string | undefined;
  serviceClusterIpRanges: readonly string[];
  serviceNodePorts: { first: number; last: number };
  eventTtlMs: number;
  leaseReuseMs: number;
  /** @default the address to listen on, or one of this machine's */
  advertiseAddress: string | undefined;
  /** How kubelets are reached, given the certificates of the data directory. */
  kubelet: KubeletSetup;
  requestTimeoutMs: number;
  /** How it listens, what it limits and shows. */
  surface: SurfaceRunOptions;
  /** What `/flagz` shows. */
  flags: () => ReadonlyMap<string, string>;
  minWatchMs: number;
  /** Undefined: nothing is told of requests. */
  audit: AuditOptions | undefined;
}

export interface RunningServer {
  readonly url: string;
  readonly kubeconfig: string;
  /** Rejects when the store fails for good. */
  readonly failed: Promise<never>;
  /** Answers what is under way, then closes the store. */
  stop(): Promise<void>;
}

/** Opens the store and serves it. The kubeconfig is written once clients can connect; what they ask is answered when the server is ready. */
export async function runApiserver(options: RunOptions, log: Logger): Promise<RunningServer> {
  const dataDir = resolve(options.dataDir);
  const certificates = ensureCertificates(dataDir, {
    clock: systemClock,
    random: systemRandom,
    hosts: [
      options.bindAddress,
      ...options.surface.moreBindAddresses,
      ...(options.surface.externalHostname === undefined ? [] : [options.surface.externalHostname]),
    ],
  });
  const credentials = readCredentials(options.surface.tls, certificates);
  const metrics = createMetrics();
  const signer = await options.authentication.connectSigner({ metrics, log });
  const authentication = signer.apply(options.authentication.read(certificates, credentials.clientAuthority));
  const handshakeErrors = metrics
    .counter({ name: "apiserver_tls_handshake_errors_total", help: "Handshakes that failed.", stability: "ALPHA" })
    .with();
  const scheduler = new TaskScheduler(systemClock);
  const { store, kept, healthChecks, failed, close } = await openStore({
    engine: options.engine,
    dataDir,
    encryptionProviderConfig: options.encryptionProviderConfig,
    reloadEncryption: options.reloadEncryption,
    log,
    scheduler,
  });
  const offered = offerStore(kept, dataDir, log); // Meanwhile: nobody needs it before the server is ready.
  const requests = holdRequests();
  const listener = await listen(
    {
      host: options.bindAddress,
      port: options.securePort,
      moreHosts: options.surface.moreBindAddresses,
      ...forListener(credentials, authentication),
      ...options.surface.listening,
      onHandshakeError: () => handshakeErrors.add(1),
      ioClock: systemClock,
      scheduler,
    },
    (request, sink) => requests.take(request, sink),
  );
  const address = `${options.bindAddress}:${listener.port}`;
  const url = `https://${address}`;
  const kubeconfig =
    options.writeKubeconfig === undefined ? join(dataDir, "kubeconfig") : resolve(options.writeKubeconfig);
  writeKubeconfig(kubeconfig, {
    server: url,
    certificateAuthority: certificates.ca.certificate,
    clientCertificate: certificates.admin.certificate,
    clientKey: certificates.admin.key,
  });
  const advertised = options.advertiseAddress ?? advertisedAddress(options.bindAddress);
  const server = await startApiServer({
    store,
    log,
    scheduler,
    admissionPlugins: {
      ...options.admissionPlugins,
      ...(options.admissionConfigFile === undefined
        ? {}
        : { configuration: readAdmissionConfigFile(options.admissionConfigFile) }),
    },
    serviceClusterIpRanges: options.serviceClusterIpRanges,
    serviceNodePorts: options.serviceNodePorts,
    eventTtlMs: options.eventTtlMs,
    leaseReuseMs: options.leaseReuseMs,
    authentication,
    kubelet: options.kubelet.read(certificates),
    identity: {
      hostname: hostname(),
      ...(advertised === undefined ? {} : { peerAddress: `${advertised}:${listener.port}` }),
    },
    ...(advertised === undefined ? {} : { endpoint: { address: advertised, port: listener.port } }),
    preparedObjects: async () => (await import("./prepared-objects/none.js")).default,
    serverAddress: () => options.surface.externalHostname ?? address,
    authorizers: options.authorizers,
    featureGates: options.featureGates,
    runtimeConfig: options.runtimeConfig,
    allowPrivileged: options.allowPrivileged,
    routesToEndpoints: options.routesToEndpoints,
    surface: {
      metrics,
      healthChecks,
      startHooks: options.reloadEncryption ? ["start-encryption-provider-config-automatic-reload"] : [],
      requestTimeoutMs: options.requestTimeoutMs,
      ...options.surface.limits,
      strictTransportDirectives: options.surface.strictTransportDirectives,
      allowedOrigins: options.surface.allowedOrigins,
      profiling: options.surface.profiling,
      ...(options.surface.logDirectory === undefined ? {} : { logDirectory: options.surface.logDirectory }),
      flags: options.flags,
      setVerbosity: (verbosity) => log.setLevel(levelOfVerbosity(verbosity)),
    },
    minWatchMs: options.minWatchMs,
    ...(options.audit && { audit: options.audit }),
  });
  const { authorizationConfig } = options;
  const followed =
    authorizationConfig === undefined
      ? undefined
      : watchAuthorizationConfig(
          resolve(authorizationConfig),
          options.authorizers,
          log,
          (configs) => server.replaceAuthorizers(configs),
          createReloadMeter("authorization", { metrics: server.metrics, hostname: hostname(), clock: systemClock }),
        );
  const following = followCredentials(
    { ...options.surface.tls, more: options.authentication.followed },
    certificates,
    (changed) =>
      followAuthorities(changed, options.authentication.read(certificates, changed.clientAuthority), {
        listener,
        server,
      }),
    log,
  );
  const issuers = options.authentication.follow(server, log);
  const followingKubelet = followKubelet(options.kubelet, certificates, server, log);
  await offered;
  setImmediate(() => requests.release(server)); // after our caller has heard: who gets an answer may end the server at once
  return {
    url,
    kubeconfig,
    failed: Promise.race([server.failed, failed]),
    async stop() {
      followed?.stop();
      following.stop();
      issuers.stop();
      followingKubelet.stop();
      const { requestTimeoutMs } = options;
      await shutDown(server, listener, options.surface.shutdown, { clock: systemClock, log, requestTimeoutMs });
      await signer.stop();
      await (await offered)?.stop();
      await close();
    },
  };
}
