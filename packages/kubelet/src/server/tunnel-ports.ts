import type { Socket } from "node:net";
import type { Runtime } from "@coxswain/runtime";
import { requestUpgrade } from "@coxswain/wire/upgrade";
import { acceptWebSocket, planHandshake, requestedProtocols, tunnelThrough } from "@coxswain/wire/websocket";
import { KubeletRefusal } from "./kubelet-source.js";
import { splice } from "./splice.js";
import type { UpgradeCall } from "./upgrade.js";

/** A WebSocket that carries SPDY: `kubectl port-forward` since 1.31. */
export const tunnelProtocol = "SPDY/3.1+portforward.k8s.io";

export const isTunnel = ({ request }: UpgradeCall): boolean =>
  requestedProtocols(request.headers).includes(tunnelProtocol);

/** Speaks SPDY to the runtime's server with the bytes that a client sends in WebSocket messages. @throws KubeletRefusal before the protocols change */
export async function tunnelPorts(
  { request, socket, head }: UpgradeCall,
  { url, backend, runtime }: { readonly url: URL; readonly backend: Socket; readonly runtime: Runtime },
): Promise<void> {
  const plan = planHandshake(request.headers, [tunnelProtocol]);
  if (plan.kind === "refuse") {
    backend.destroy();
    throw new KubeletRefusal(plan.status, plan.message);
  }
  const upgraded = await requestUpgrade({
    url,
    socket: backend,
    protocol: "SPDY/3.1",
    method: "POST",
    headers: { "X-Stream-Protocol-Version": "portforward.k8s.io", "Content-Length": 0 },
  });
  const tunnel = tunnelThrough(acceptWebSocket(socket, head, plan, { clock: runtime.ioClock, random: runtime.random }));
  if (upgraded.head.length > 0) tunnel.write(upgraded.head);
  splice(tunnel, upgraded.socket);
}
