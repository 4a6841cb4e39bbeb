import type { CommandDeps } from "./accept-command.js";
import { KubeletRefusal } from "./kubelet-source.js";
import type { PageSettings } from "./node-pages.js";
import { forwardPorts } from "./port-forward.js";
import { runInside } from "./run-inside.js";
import { relayCommand, relayPorts } from "./runtime-streams.js";
import { type KubeletCall, podOf } from "./serve-page.js";
import type { UpgradeCall } from "./upgrade.js";

/** Commands and port-forwarding, by the runtime's own server or in this process. @throws KubeletRefusal before the protocols change */
export async function serveUpgrade(
  call: KubeletCall,
  upgrade: UpgradeCall,
  deps: CommandDeps & { readonly pages: Pick<PageSettings, "debugging"> },
): Promise<void> {
  if (!deps.pages.debugging) throw new KubeletRefusal(405, "Debug endpoints are disabled.\n");
  const found = podOf(call);
  const { streaming } = found.agent.context.containers;
  const request = { found, call, upgrade, deps };
  if (call.verb === "portForward")
    return streaming.kind === "url" ? relayPorts(streaming, request) : forwardPorts(streaming, request);
  if (call.verb !== "exec" && call.verb !== "attach") throw new KubeletRefusal(404, "404 page not found\n");
  return streaming.kind === "url" ? relayCommand(streaming, request) : runInside(streaming, request);
}
