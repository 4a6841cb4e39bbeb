import type { Service } from "@coxswain/api/core/v1";
import { systemClock } from "@coxswain/runtime/clock";
import { describeWith } from "@coxswain/tools/needs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { planFrontends } from "../frontends/plan-frontends.js";
import { loadBalancerAt, service, slice, testNode } from "../frontends/service.test.support.js";
import { RuleState } from "../rules/rule-state.js";
import { testTable } from "../rules/table.test.support.js";
import { writeChanges, writeTable } from "../rules/transaction.js";
import { rootAndNft } from "./network-namespace.test.support.js";
import { createNft, type Nft } from "./run-nft.js";
import { ask, askOften, openTestNetwork, type TestNetwork } from "./test-network.test.support.js";

const udp = { name: "udp", protocol: "UDP", port: 80 } as const;
const ports = [
  { name: "http", port: 8080, protocol: "TCP" as const },
  { name: "udp", port: 8080, protocol: "UDP" as const },
];
/** Pod a is on this node, pod b on another one by its slice. */
const both = [slice(["10.0.1.2 local", "10.0.2.2"], { ports })];
const remote = [slice(["10.0.2.2"], { ports })];
const http = { name: "http", protocol: "TCP", port: 80 } as const;

describeWith("connections through tables in the kernel", rootAndNft, () => {
  let network: TestNetwork;
  let nft: Nft;
  beforeAll(async () => {
    network = await openTestNetwork();
    nft = createNft(systemClock, [...network.node.enter, "nft"]);
  });
  afterAll(() => network?.close());

  const settings = testTable();
  /** The table has exactly this service now. */
  async function serve(made: Service, slices = both): Promise<RuleState> {
    const state = new RuleState(settings);
    state.put("ns/svc", planFrontends(made, slices, testNode));
    await nft.run(writeTable(settings, state.planAll(undefined), undefined));
    state.applied();
    return state;
  }

  it("a cluster IP reaches every backend from a pod, from the node and from outside, by TCP and UDP", async () => {
    await serve(service({ ports: [http, udp] }));
    expect(await askOften(30, network.a, "10.96.0.1", 80)).toEqual(["a 10.0.1.1", "b 10.0.1.2"]);
    expect(await askOften(30, network.a, "10.96.0.1", 80, { protocol: "udp" })).toEqual(["a 10.0.1.1", "b 10.0.1.2"]);
    // The node's own source is whatever its route chooses; from outside the pod network everything is masqueraded.
    expect(await askOften(30, network.node, "10.96.0.1", 80)).toEqual(["a 10.0.1.1", "b 10.0.2.1"]);
    expect(await askOften(30, network.client, "10.96.0.1", 80)).toEqual(["a 10.0.1.1", "b 10.0.2.1"]);
  });

  it("another port of a cluster IP is refused, another address of the range is dropped", async () => {
    await serve(service());
    expect(await ask(network.a, "10.96.0.1", 81)).toBe("refused");
    expect(await ask(network.a, "10.96.0.99", 80)).toBe("dropped");
    expect(await ask(network.a, "10.96.0.1", 80, { protocol: "udp" })).toBe("refused");
  });

  it("a service without endpoints refuses, from everywhere", async () => {
    await serve(service({ type: "NodePort", ports: [{ ...http, nodePort: 30080 }] }), []);
    expect(await ask(network.a, "10.96.0.1", 80)).toBe("refused");
    expect(await ask(network.node, "10.96.0.1", 80)).toBe("refused");
    expect(await ask(network.client, "192.168.0.2", 30080)).toBe("refused");
  });

  it("a node port answers on the node's addresses and hides the client", async () => {
    await serve(service({ type: "NodePort", ports: [{ ...http, nodePort: 30080 }] }));
    expect(await askOften(30, network.client, "192.168.0.2", 30080)).toEqual(["a 10.0.1.1", "b 10.0.2.1"]);
    expect(await askOften(30, network.a, "10.0.2.1", 30080)).toEqual(["a 10.0.1.1", "b 10.0.2.1"]);
    expect(await ask(network.node, "127.0.0.1", 30080)).toBe("refused");
  });

  it("external policy Local shows the client and uses backends here only; pods and node go anywhere", async () => {
    await serve(service({ type: "NodePort", externalTrafficPolicy: "Local", ports: [{ ...http, nodePort: 30080 }] }));
    expect(await askOften(20, network.client, "192.168.0.2", 30080)).toEqual(["a 192.168.0.10"]);
    expect(await askOften(30, network.a, "192.168.0.2", 30080)).toEqual(["a 10.0.1.1", "b 10.0.1.2"]);
    expect(await askOften(30, network.node, "192.168.0.2", 30080)).toEqual(["a 10.0.1.1", "b 10.0.2.1"]);
  });

  it("external policy Local without a backend here drops, but not for pods and node", async () => {
    const made = service({ type: "NodePort", externalTrafficPolicy: "Local", ports: [{ ...http, nodePort: 30080 }] });
    await serve(made, remote);
    expect(await ask(network.client, "192.168.0.2", 30080)).toBe("dropped");
    expect(await ask(network.a, "192.168.0.2", 30080)).toBe("b 10.0.1.2");
    expect(await ask(network.node, "192.168.0.2", 30080)).toBe("b 10.0.2.1");
  });

  it("internal policy Local uses backends here only, and drops without", async () => {
    await serve(service({ internalTrafficPolicy: "Local" }));
    expect(await askOften(20, network.b, "10.96.0.1", 80)).toEqual(["a 10.0.2.2"]);
    await serve(service({ internalTrafficPolicy: "Local" }), remote);
    expect(await ask(network.b, "10.96.0.1", 80)).toBe("dropped");
  });

  it("external and load-balancer addresses lead to the service; source ranges drop others", async () => {
    const balanced = (ranges: string[]): Service =>
      service(
        { type: "LoadBalancer", externalIPs: ["1.2.3.4"], loadBalancerSourceRanges: ranges },
        loadBalancerAt("5.6.7.8"),
      );
    await serve(balanced(["192.168.0.0/24"]), remote);
    expect(await ask(network.client, "1.2.3.4", 80)).toBe("b 10.0.2.1");
    expect(await ask(network.client, "5.6.7.8", 80)).toBe("b 10.0.2.1");
    await serve(balanced(["203.0.113.0/24"]), remote);
    expect(await ask(network.client, "1.2.3.4", 80)).toBe("b 10.0.2.1");
    expect(await ask(network.client, "5.6.7.8", 80)).toBe("dropped");
  });

  it("session affinity keeps a client's backend; another client may have another one", async () => {
    await serve(service({ sessionAffinity: "ClientIP", ports: [http, udp] }));
    const first = await ask(network.client, "10.96.0.1", 80);
    expect(await askOften(30, network.client, "10.96.0.1", 80)).toEqual([first]);
    const other = await ask(network.b, "10.96.0.1", 80);
    expect(await askOften(30, network.b, "10.96.0.1", 80)).toEqual([other]);
  });

  it("session affinity ends when the client was silent for the time-out", async () => {
    await serve(service({ sessionAffinity: "ClientIP", sessionAffinityConfig: { clientIP: { timeoutSeconds: 1 } } }));
    const seen = new Set<string>();
    for (let i = 0; i < 12 && seen.size < 2; i++) {
      seen.add(await ask(network.client, "10.96.0.1", 80));
      await network.node.start("sleep", ["1.2"]);
    }
    expect(seen.size).toBe(2);
  });

  it("a changed endpoint is reached by the next connection, in one small transaction", async () => {
    const state = await serve(service(), remote);
    expect(await ask(network.client, "10.96.0.1", 80)).toBe("b 10.0.2.1");
    state.put("ns/svc", planFrontends(service(), [slice(["10.0.1.2"])], testNode));
    const commands = writeChanges(settings, state.planChanges());
    expect(commands.split("\n")).toHaveLength(3);
    await nft.run(commands);
    expect(await ask(network.client, "10.96.0.1", 80)).toBe("a 10.0.1.1");
  });

  it("a service of 5,000 endpoints spreads connections over them, and none goes to one that is gone", async () => {
    // Pod b answers under all of these addresses.
    network.node.run("ip route replace 10.50.0.0/16 via 10.0.2.2");
    network.b.run("ip route replace local 10.50.0.0/16 dev lo");
    const all = Array.from({ length: 5_000 }, (_, at) => `10.50.${at >> 8}.${at & 255}`);
    const state = await serve(service(), [slice(all)]);
    expect(await askOften(200, network.a, "10.96.0.1", 80, { waitMs: 10_000 })).toEqual(["b 10.0.1.2"]);
    /** The answering directions of what the kernel tracks: the endpoint, and the client's port, which each connection has for itself. */
    const tracked = (): string[] =>
      network.node.run("cat /proc/net/nf_conntrack").match(/(?<=src=)10\.50\.\d+\.\d+ dst=\S+ sport=\d+ dport=\d+/g) ??
      [];
    const endpointsOf = (connections: readonly string[]): Set<string> =>
      new Set(connections.map((connection) => connection.split(" ")[0] ?? ""));
    const before = new Set(tracked());
    // 200 of 5,000 at random are 196 different ones on average.
    expect(endpointsOf([...before]).size).toBeGreaterThan(150);
    state.put("ns/svc", planFrontends(service(), [slice(all.slice(4_990))], testNode));
    await nft.run(writeChanges(settings, state.planChanges()));
    expect(await askOften(50, network.a, "10.96.0.1", 80, { waitMs: 10_000 })).toEqual(["b 10.0.1.2"]);
    const since = endpointsOf(tracked().filter((connection) => !before.has(connection)));
    expect(since.size).toBeGreaterThan(1);
    expect([...since].filter((address) => !all.slice(4_990).includes(address))).toEqual([]);
  });

  it("IPv6 works the same", async () => {
    const six = testTable({ family: "IPv6" });
    const state = new RuleState(six);
    const made = service({
      type: "NodePort",
      clusterIP: "fd00:96::1",
      clusterIPs: ["fd00:96::1"],
      ipFamilies: ["IPv6"],
      ports: [{ ...http, nodePort: 30080 }],
    });
    state.put(
      "ns/svc",
      planFrontends(made, [slice(["fd00:1::2 local", "fd00:2::2"])], { ...testNode, family: "IPv6" }),
    );
    await nft.run(writeTable(six, state.planAll(undefined), undefined));
    expect(await askOften(30, network.client, "fd00:96::1", 80)).toEqual(["a fd00:1::1", "b fd00:2::1"]);
    expect(await askOften(30, network.client, "fd00:168::2", 30080)).toEqual(["a fd00:1::1", "b fd00:2::1"]);
    expect(await ask(network.client, "fd00:96::1", 81)).toBe("refused");
  });
});
