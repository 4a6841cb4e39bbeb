import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EtcdServer } from "../../upstream/index.js";
import { startEtcd, startKubeApiserver } from "../../upstream/index.js";
import { residentBytes } from "./resident-memory.js";
import type { BenchServer } from "./server.js";
import { firstPath } from "./server.js";

/**
 * kube-apiserver over etcd, with syncing on. Its start is counted from kube-apiserver's command alone, although it needs
 * etcd and certificates first: what is measured shall not be in our favour.
 */
export async function startUpstream(): Promise<BenchServer> {
  const folder = await mkdtemp(join(tmpdir(), "coxswain-bench-upstream-"));
  const removeData = (): Promise<void> => rm(folder, { recursive: true, force: true });
  let etcd: EtcdServer | undefined;
  try {
    etcd = await startEtcd({ folder });
    const store = etcd;
    const apiserver = await startKubeApiserver({ folder, etcdUrl: store.url, readyPath: firstPath, pollIntervalMs: 5 });
    return {
      access: apiserver.access,
      startMs: apiserver.startMs,
      residentBytes: () => residentBytes([apiserver.pid, store.pid]),
      async stop() {
        await apiserver.stop();
        await store.stop();
        await removeData();
      },
    };
  } catch (error) {
    await etcd?.stop();
    await removeData();
    throw error;
  }
}
