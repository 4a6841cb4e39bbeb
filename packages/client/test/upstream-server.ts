import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cachedProgram, startEtcd, startKubeApiserver } from "@coxswain/tools/upstream";
import type { ServerUnderTest } from "./our-server.js";

/** Whether kube-apiserver and etcd were built on this machine (`node tools/dist/upstream/main.js`). */
export const hasUpstream = (): boolean =>
  cachedProgram("kube-apiserver") !== undefined && cachedProgram("etcd") !== undefined;

export async function startUpstreamServer(): Promise<ServerUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), "coxswain-client-upstream-"));
  const etcd = await startEtcd({ folder, sync: false });
  const apiServer = await startKubeApiserver({ folder, etcdUrl: etcd.url });
  const { access } = apiServer;
  return {
    server: access.server,
    ca: access.certificateAuthority,
    cert: access.clientCertificate as string,
    key: access.clientKey as string,
    async stop() {
      await apiServer.stop();
      await etcd.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
