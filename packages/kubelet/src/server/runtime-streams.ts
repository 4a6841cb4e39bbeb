import { isWebSocketRequest } from "@coxswain/wire/websocket";
import type { StreamsByUrl } from "../runtime/container-runtime.js";
import { acceptCommand, type CommandDeps } from "./accept-command.js";
import { dialRuntime, readRuntimeUrl } from "./dial-runtime.js";
import { type FoundPod, findRunningRun } from "./find-run.js";
import { relayUpgrade } from "./relay-upgrade.js";
import type { KubeletCall } from "./serve-page.js";
import { readPorts, readStreamOptions } from "./stream-options.js";
import { connectCommand, needsTranslation, translateCommand } from "./translate-command.js";
import { isTunnel, tunnelPorts } from "./tunnel-ports.js";
import type { UpgradeCall } from "./upgrade.js";

/**
 * Commands and attachments by the runtime's own server: SPDY and WebSocket up to version 4 byte for byte, version 5 translated
 * (pkg/kubelet/server/server.go, getExec and getAttach). @throws KubeletRefusal before the protocols change
 */
export async function relayCommand(
  streaming: StreamsByUrl,
  { found, call, upgrade, deps }: { found: FoundPod; call: KubeletCall; upgrade: UpgradeCall; deps: CommandDeps },
): Promise<void> {
  const options = readStreamOptions(call.url.searchParams);
  const request = { id: findRunningRun(found, call.container), ...options };
  const command = call.url.searchParams.getAll("command");
  const text = call.verb === "attach" ? streaming.attach(request) : streaming.exec({ ...request, command });
  const url = readRuntimeUrl(await text);
  const backend = await dialRuntime(url, deps.runtime.ioClock);
  if (!needsTranslation(upgrade)) return relayUpgrade(upgrade, url, backend);
  acceptCommand(
    deps,
    upgrade,
    options,
    (streams) => void translateCommand(streams, () => connectCommand(url, backend)),
  );
}

/** Port-forwarding by the runtime's own server (getPortForward there). @throws KubeletRefusal before the protocols change */
export async function relayPorts(
  streaming: StreamsByUrl,
  { found, call, upgrade, deps }: { found: FoundPod; call: KubeletCall; upgrade: UpgradeCall; deps: CommandDeps },
): Promise<void> {
  const isTunnelled = isTunnel(upgrade);
  const ports = !isTunnelled && isWebSocketRequest(upgrade.request.headers) ? readPorts(call.url.searchParams) : [];
  const url = readRuntimeUrl(await streaming.portForward({ podUid: found.worker.uid, ports }));
  const backend = await dialRuntime(url, deps.runtime.ioClock);
  if (!isTunnelled) return relayUpgrade(upgrade, url, backend);
  return tunnelPorts(upgrade, { url, backend, runtime: deps.runtime });
}
