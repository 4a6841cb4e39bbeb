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

/**
 * Both servers, empty, and with the same settings; ours perhaps with history, which changes no answer. `reference`: in place of kube-apiserver a
 * second one of ours without history stands for `upstream`: shows what a setting changes where there is no Go.
 */
export async function startServers({
  history = false,
  reference = "upstream",
}: {
  readonly history?: boolean;
  readonly reference?: "upstream" | "ours";
} = {}): Promise<Servers> {
  const [first, ours] = await Promise.all([
    reference === "upstream" ? startOracle(createHttp2Requester) : startOurs(false),
    startOurs(history),
  ]);
  const stopBoth = async (): Promise<void> => {
    await Promise.all([first.stop(), ours.stop()]);
  };
  let stopped: Promise<void> | undefined;
  return { upstream: first.request, ours: ours.request, stop: () => (stopped ??= stopBoth()) };
}

async function startOurs(history: boolean): Promise<{ readonly request: Requester; stop(): Promise<void> }> {
  const own = await startCoxswain({
    args: [
      "--storage=memory",
      "--service-cluster-ip-range=10.0.0.0/24",
      "--authorization-mode=AlwaysAllow",
      "--service-account-issuer=https://kubernetes.default.svc",
      "--disable-admission-plugins=ServiceAccount",
      "--log-level=error",
      `--history=${history}`,
    ],
  });
  const client = createHttp2Requester(parseKubeconfig(await readFile(own.kubeconfig, "utf8")));
  return {
    request: client.request,
    async stop() {
      client.close();
      await own.stop();
      removeDataDir(own);
    },
  };
}
