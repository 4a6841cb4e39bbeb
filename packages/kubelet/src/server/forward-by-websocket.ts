import type { Duplex } from "node:stream";
import type { Runtime } from "@coxswain/runtime";
import { acceptWebSocket, channelProtocols, openChannels, planHandshake } from "@coxswain/wire/websocket";
import { KubeletRefusal } from "./kubelet-source.js";
import type { UpgradeCall } from "./upgrade.js";

const protocols = ["", "v4.channel.k8s.io", "v4.base64.channel.k8s.io"];

/**
 * Forwards ports over the channels of a WebSocket, as Python's and JavaScript's clients do: two channels for each port, of which the
 * first carries data and the second an error. Each begins with the port's number
 * (k8s.io/cri-streaming/pkg/streaming/portforward/websocket.go, handleWebSocketStreams).
 * @throws KubeletRefusal before the protocols change
 */
export function forwardByWebSocket(
  { request, socket, head }: UpgradeCall,
  ports: readonly number[],
  { runtime, forward }: { readonly runtime: Runtime; forward(port: number, data: Duplex): Promise<string | undefined> },
): void {
  const plan = planHandshake(request.headers, protocols);
  if (plan.kind === "refuse") throw new KubeletRefusal(plan.status, plan.message);
  const websocket = acceptWebSocket(socket, head, plan, { clock: runtime.ioClock, random: runtime.random });
  const codec = channelProtocols[plan.protocol] as (typeof channelProtocols)[""];
  const channels = openChannels(websocket, codec, ports.length * 2);
  const all = ports.map(async (port, i) => {
    const [data, error] = [channels.channel(i * 2), channels.channel(i * 2 + 1)];
    const number = Buffer.alloc(2);
    number.writeUInt16LE(port);
    data.write(number);
    error.write(number);
    error.resume();
    const failure = await forward(port, data);
    if (failure !== undefined) error.write(failure);
    data.end();
    error.end();
  });
  void Promise.all(all).then(() => channels.close());
}
