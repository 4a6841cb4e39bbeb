import { createSocket } from "node:dgram";
import { once } from "node:events";
import { testRuntime } from "@coxswain/runtime";
import { expect, it } from "vitest";
import { BackendPools } from "../backends/backend-pools.js";
import type { BackendService } from "../engine/backend.js";
import { socketsOnly } from "../engine/backend-network.js";
import { UdpFlows } from "./udp-flows.js";

const destination: BackendService = {
  kind: "service",
  target: { namespace: "default", service: "dns", portName: "" },
  protocol: "http1",
  tls: undefined,
};

it("a flow ends after a minute without a datagram, by the runtime's clock", async () => {
  const runtime = testRuntime(1);
  const [server, backend, client] = [createSocket("udp4"), createSocket("udp4"), createSocket("udp4")];
  for (const socket of [server, backend]) {
    socket.bind(0, "127.0.0.1");
    await once(socket, "listening");
  }
  const endpoints = [{ address: "127.0.0.1", port: backend.address().port }];
  const pools = new BackendPools(runtime, socketsOnly);
  const flows = new UdpFlows(server, { runtime, network: socketsOnly, pools, endpointsOf: () => endpoints });
  flows.backends = [{ weight: 1, destination }];
  const send = async (text: string): Promise<void> => {
    const received = once(backend, "message");
    client.send(text, server.address().port, "127.0.0.1");
    expect(String((await received)[0])).toBe(text);
  };
  await send("one");
  await runtime.clock.advance(50_000);
  await send("two");
  await runtime.clock.advance(50_000);
  expect(flows.size).toBe(1);
  await runtime.clock.advance(20_000);
  expect(flows.size).toBe(0);
  await send("three");
  expect(flows.size).toBe(1);
  flows.close();
  for (const socket of [server, backend, client]) socket.close();
});
