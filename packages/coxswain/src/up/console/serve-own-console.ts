import { createTransport, loadKubeconfig } from "@coxswain/client/node";
import { type Relay, serveConsole } from "@coxswain/console/relay";
import type { Runtime } from "@coxswain/runtime";
import { consoleFolder } from "./console-folder.js";
import { consolePorts } from "./console-ports.js";

/** The console of a cluster in this process, as its administrator. Its requests take the way of every other client's. */
export async function serveOwnConsole(
  runtime: Runtime,
  {
    kubeconfig,
    cluster,
    port,
  }: { readonly kubeconfig: string; readonly cluster: string; readonly port: number | undefined },
): Promise<Pick<Relay, "createLink" | "stop">> {
  const upstream = createTransport(loadKubeconfig({ path: kubeconfig }), { runtime });
  const options = { upstream, folder: consoleFolder(), cluster, readOnly: false, ports: consolePorts(port) };
  const relay = await serveConsole(runtime, options);
  return {
    createLink: () => relay.createLink(),
    async stop() {
      await relay.stop();
      await upstream.close();
    },
  };
}
