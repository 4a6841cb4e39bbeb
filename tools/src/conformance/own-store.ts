import { get } from "node:http";
import { join } from "node:path";
import { ownLauncher } from "../clients/index.js";
import { type EtcdServer, startProcess } from "../upstream/index.js";

export interface OwnStoreOptions {
  /** Holds the data, the socket and the log; must exist. */
  readonly folder: string;
  /** Where the data are. @default in the folder */
  readonly dataDir?: string | undefined;
  /** The launcher of another build of ours. */
  readonly coxswain?: string | undefined;
}

/** Our embedded store in etcd's place. After a kill it is started again on the same folder. */
export async function startOwnStore({
  folder,
  dataDir = join(folder, "store"),
  coxswain,
}: OwnStoreOptions): Promise<EtcdServer> {
  const url = `unix://${join(folder, "etcd.sock")}`;
  const store = startProcess({
    name: "coxswain store serve",
    command: process.execPath,
    logFile: join(folder, "store.log"),
    args: [coxswain ?? ownLauncher, "store", "serve", `--data-dir=${dataDir}`, `--serve-etcd=${url}`],
  });
  try {
    await store.waitUntil(() => isHealthy(join(folder, "etcd.sock")), { timeoutMs: 60_000 });
  } catch (error) {
    await store.stop();
    throw error;
  }
  return { url, pid: store.pid, stop: () => store.stop() };
}

const isHealthy = (socketPath: string): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = get({ socketPath, path: "/health" }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asked.once("error", () => resolve(false));
  });
