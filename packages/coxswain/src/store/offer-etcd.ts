import { chmod, rename, rm } from "node:fs/promises";
import { ensureEtcdCertificates } from "@coxswain/component/certificates";
import type { Runtime } from "@coxswain/runtime";
import type { KeyValueStore } from "@coxswain/storage";
import type { GrpcServer } from "@coxswain/wire/grpc";
import type { EtcdServing } from "./serve-etcd-flags.js";

export interface OfferEtcdOptions {
  readonly store: KeyValueStore;
  readonly serving: EtcdServing;
  readonly dataDir: string;
  readonly runtime: Runtime;
}

export interface OfferedEtcd {
  /** What a client is given to connect: flags of etcdctl. */
  readonly flags: readonly string[];
  stop(): Promise<void>;
}

/** Serves a store by etcd's protocol, on a socket for this user alone or by TLS to clients with certificates. */
export async function offerEtcd({ store, serving, dataDir, runtime }: OfferEtcdOptions): Promise<OfferedEtcd> {
  const { serveEtcd } = await import("@coxswain/storage/etcd-server");
  if (serving.kind === "socket") {
    // Made under another name and moved when it has its mode: nobody finds it open to others, nor a leftover in its place.
    const draft = `${serving.path}.${process.pid}`;
    await rm(draft, { force: true });
    const server = await serveEtcd({ store, clock: runtime.ioClock, listen: { path: draft } });
    await chmod(draft, 0o600);
    await rename(draft, serving.path);
    return {
      flags: [`--endpoints=unix://${serving.path}`],
      async stop() {
        await rm(serving.path, { force: true });
        await server.close();
      },
    };
  }
  const { host, port } = serving;
  const files = serving.tls ? undefined : ensureEtcdCertificates(dataDir, { ...realTime(runtime), hosts: [host] });
  const tls = serving.tls ?? {
    certificate: files?.server.certificate ?? "",
    key: files?.server.key ?? "",
    clientCa: files?.ca.certificate ?? "",
  };
  const server: GrpcServer = await serveEtcd({ store, clock: runtime.ioClock, listen: { host, port }, tls });
  return {
    flags: [
      `--endpoints=${server.endpoint}`,
      ...(files
        ? [
            `--cacert=${files.ca.certificateFile}`,
            `--cert=${files.client.certificateFile}`,
            `--key=${files.client.keyFile}`,
          ]
        : []),
    ],
    stop: () => server.close(),
  };
}

/** Certificates are of this world's time. */
const realTime = ({ ioClock: clock, random }: Runtime) => ({ clock, random });
