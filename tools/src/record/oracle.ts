import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClusterAccess } from "../upstream/index.js";
import { startEtcd, startKubeApiserver } from "../upstream/index.js";
import type { ServerSettings } from "./case.js";
import { createHttpsRequester } from "./https-requester.js";
import type { Requester } from "./player.js";

/** The real kube-apiserver, which decides what is right. */
export interface Oracle {
  readonly request: Requester;
  /** Stops the servers and removes their data. May be called more than once. */
  stop(): Promise<void>;
}

/** Starts kube-apiserver over an empty etcd in a temporary folder. `connect`: how to reach it. */
export async function startOracle(
  connect: (access: ClusterAccess) => { request: Requester; close(): void } = createHttpsRequester,
  { authorizationMode = "AlwaysAllow", serviceClusterIpRanges, enableAdmissionPlugins = [] }: ServerSettings = {},
): Promise<Oracle> {
  const folder = await mkdtemp(join(tmpdir(), "coxswain-oracle-"));
  const undo: (() => Promise<unknown> | void)[] = [() => rm(folder, { recursive: true, force: true })];
  let stopped: Promise<void> | undefined;
  const stopAll = async (): Promise<void> => {
    for (const step of undo.reverse()) await step();
  };
  const stop = (): Promise<void> => (stopped ??= stopAll());
  try {
    const etcd = await startEtcd({ folder, sync: false });
    undo.push(() => etcd.stop());
    const apiserver = await startKubeApiserver({
      folder,
      etcdUrl: etcd.url,
      authorizationMode,
      enableAdmissionPlugins,
      flags: serviceClusterIpRanges ? [`--service-cluster-ip-range=${serviceClusterIpRanges.join(",")}`] : [],
    });
    undo.push(() => apiserver.stop());
    const client = connect(apiserver.access);
    undo.push(() => client.close());
    return { request: client.request, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
