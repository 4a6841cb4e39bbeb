import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";
import type { Timer } from "@coxswain/runtime/clock";
import { backendsFor } from "./choose-backend.js";
import type { WantedListener } from "./load-balancer-plan.js";
import type { OpenListener, RelayOptions } from "./open-listener.js";
import { createSourceFilter } from "./source-ranges.js";

/** Clients of one listener that are remembered at once; datagrams of more are dropped. */
const maxFlows = 512;
/** Milliseconds without a datagram after which a client is forgotten (as `nf_conntrack_udp_timeout`). */
const flowMs = 30_000;

interface Flow {
  readonly socket: Socket;
  timer: Timer;
}

/** Relays datagrams to endpoints that a socket reaches. Simulated pods have no UDP: what is sent to them is dropped. */
export async function relayUdp(first: WantedListener, { runtime, network }: RelayOptions): Promise<OpenListener> {
  let wanted = first;
  let isAllowed = createSourceFilter(first.sourceRanges);
  const flows = new Map<string, Flow>();
  const family = (address: string): "udp4" | "udp6" => (isIPv6(address) ? "udp6" : "udp4");
  const server = createSocket(family(first.address));

  function forget(key: string): void {
    const flow = flows.get(key);
    flows.delete(key);
    flow?.timer.cancel();
    flow?.socket.close();
  }

  function flowOf(client: { readonly address: string; readonly port: number }): Flow | undefined {
    const key = `${client.address} ${client.port}`;
    const known = flows.get(key);
    if (known) return known;
    const [backend] = backendsFor(wanted, client.address, runtime.random);
    if (!backend || flows.size >= maxFlows || network.owns(backend.address)) return undefined;
    const socket = createSocket(family(backend.address));
    const flow: Flow = { socket, timer: runtime.ioClock.setTimer(flowMs, () => forget(key)) };
    socket.on("error", () => forget(key));
    socket.on("message", (bytes) => server.send(bytes, client.port, client.address, () => {}));
    socket.connect(backend.port, backend.address);
    flows.set(key, flow);
    return flow;
  }

  server.on("message", (bytes, client) => {
    if (!isAllowed(client.address)) return;
    const flow = flowOf(client);
    if (!flow) return;
    const key = `${client.address} ${client.port}`;
    flow.timer.cancel();
    flow.timer = runtime.ioClock.setTimer(flowMs, () => forget(key));
    const send = (): void => flow.socket.send(bytes, () => {});
    try {
      flow.socket.remoteAddress();
      send();
    } catch {
      flow.socket.once("connect", send);
    }
  });
  const listening = once(server, "listening");
  server.bind(first.port, first.address);
  await listening;
  server.on("error", (error) => runtime.log.warn("a load balancer's listener failed", { error }));
  return {
    update(changed) {
      const isSame = JSON.stringify(changed.backends) === JSON.stringify(wanted.backends);
      wanted = changed;
      isAllowed = createSourceFilter(changed.sourceRanges);
      if (!isSame) for (const key of flows.keys()) forget(key);
    },
    async close() {
      for (const key of flows.keys()) forget(key);
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
