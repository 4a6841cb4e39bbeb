import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { systemClock } from "@coxswain/apimachinery/clock";
import { systemRandom } from "@coxswain/apimachinery/random";
import { type AuthorizationMode, listen, startApiServer } from "@coxswain/apiserver";
import { ensureCertificates } from "@coxswain/component/certificates";
import { writeKubeconfig } from "@coxswain/component/kubeconfig";
import type { Logger } from "@coxswain/component/log";
import type { Engine } from "./engine-flags.js";
import { openStore } from "./open-store.js";
import { offerStore } from "./store/offer-store.js";

export interface RunOptions {
  dataDir: string;
  bindAddress: string;
  securePort: number;
  /** @default kubeconfig in the data directory */
  writeKubeconfig: string | undefined;
  engine: Engine;
  authorizationModes: readonly AuthorizationMode[];
  tokenAuthFile: string | undefined;
  featureGates: ReadonlyMap<string, string>;
  requestTimeoutMs: number;
  minWatchMs: number;
}

export interface RunningServer {
  readonly url: string;
  readonly kubeconfig: string;
  /** Rejects when the store fails for good. */
  readonly failed: Promise<never>;
  /** Answers what is under way, then closes the store. */
  stop(): Promise<void>;
}

/** Opens the store, serves it, and writes the kubeconfig when the first request can be answered. */
export async function runApiserver(options: RunOptions, log: Logger): Promise<RunningServer> {
  const dataDir = resolve(options.dataDir);
  const certificates = ensureCertificates(dataDir, { clock: systemClock, random: systemRandom, hosts: [options.bindAddress] });
  const { store, failed } = await openStore(options.engine, dataDir, log);
  const socket = await offerStore(store, dataDir, log);
  let address = `${options.bindAddress}:${options.securePort}`;
  const server = await startApiServer({
    store,
    log,
    serverAddress: () => address,
    authorizationModes: options.authorizationModes,
    featureGates: options.featureGates,
    ...(options.tokenAuthFile === undefined ? {} : { tokenFile: readFileSync(options.tokenAuthFile, "utf8") }),
    requestTimeoutMs: options.requestTimeoutMs,
    minWatchMs: options.minWatchMs,
  });
  const listener = await listen(
    {
      host: options.bindAddress,
      port: options.securePort,
      certificate: certificates.server.certificate,
      key: certificates.server.key,
      clientAuthority: certificates.ca.certificate,
      ioClock: systemClock,
    },
    (request, sink) => void server.serve(request, sink),
  );
  address = `${options.bindAddress}:${listener.port}`;
  const url = `https://${address}`;
  const kubeconfig = options.writeKubeconfig === undefined ? join(dataDir, "kubeconfig") : resolve(options.writeKubeconfig);
  writeKubeconfig(kubeconfig, {
    server: url,
    certificateAuthority: certificates.ca.certificate,
    clientCertificate: certificates.admin.certificate,
    clientKey: certificates.admin.key,
  });
  return {
    url,
    kubeconfig,
    failed: Promise.race([server.failed, failed]),
    async stop() {
      listener.stopAccepting();
      await server.stop();
      await listener.close();
      await socket?.stop();
      await store.close();
    },
  };
}
