import { readFile } from "node:fs/promises";
import { removeDataDir, startCoxswain } from "../clients/index.js";
import type { Requester } from "../record/index.js";
import { startOracle } from "../record/oracle.js";
import { parseKubeconfig } from "../upstream/index.js";
import { createHttp2Requester } from "./http2-requester.js";

export interface Servers {
  readonly upstream: Requester;
  readonly ours: Requester;
  stop(): Promise<void>;
}

/** Both servers, empty, and with the same settings; ours perhaps with history, which changes no answer. */
export async function startServers({ history = false } = {}): Promise<Servers> {
  const [oracle, own] = await Promise.all([
    startOracle(createHttp2Requester),
    startCoxswain({
      args: [
        "--storage=memory",
        "--service-cluster-ip-range=10.0.0.0/24",
        "--authorization-mode=AlwaysAllow",
        "--service-account-issuer=https://kubernetes.default.svc",
        "--disable-admission-plugins=ServiceAccount",
        "--log-level=error",
        `--history=${history}`,
      ],
    }),
  ]);
  const client = createHttp2Requester(parseKubeconfig(await readFile(own.kubeconfig, "utf8")));
  let stopped: Promise<void> | undefined;
  const stopBoth = async (): Promise<void> => {
    client.close();
    await Promise.all([oracle.stop(), own.stop()]);
    removeDataDir(own);
  };
  return { upstream: oracle.request, ours: client.request, stop: () => (stopped ??= stopBoth()) };
}
