import type { NetworkPolicySpec } from "@coxswain/api/networking/v1";
import { systemClock } from "@coxswain/runtime/clock";
import { describeWith } from "@coxswain/tools/needs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { rootAndNft } from "../nft/network-namespace.test.support.js";
import { createNft, type Nft } from "../nft/run-nft.js";
import { ask, openTestNetwork, type TestNetwork } from "../nft/test-network.test.support.js";
import type { PolicyPod } from "./policy-pod.js";
import { PolicySource } from "./policy-source.js";
import { PolicyState } from "./policy-state.js";

const podOf = (name: "a" | "b", at: number, more: Partial<PolicyPod> = {}): PolicyPod => ({
  key: `ns/${name}`,
  namespace: "ns",
  labels: { app: name },
  nodeName: "here",
  addresses: [
    { family: "IPv4", text: `10.0.${at}.2` },
    { family: "IPv6", text: `fd00:${at}::2` },
  ],
  namedPorts: [{ name: "http", protocol: "TCP", port: 8080 }],
  ...more,
});

describeWith("connections under policies in the kernel", rootAndNft, () => {
  let network: TestNetwork;
  let nft: Nft;
  beforeAll(async () => {
    network = await openTestNetwork();
    nft = createNft(systemClock, [...network.node.enter, "nft"]);
  });
  afterAll(() => network?.close());

  /** The table has exactly these policies for pods a and b, written at once. */
  async function apply(...specs: NetworkPolicySpec[]): Promise<{ state: PolicyState; source: PolicySource }> {
    const state = new PolicyState("here");
    const source = new PolicySource(state);
    for (const [at, spec] of specs.entries())
      state.putPolicy(`ns/p${at}`, { metadata: { namespace: "ns", name: `p${at}` }, spec });
    state.putPod(podOf("a", 1));
    state.putPod(podOf("b", 2));
    await nft.run(source.writeAll());
    source.applied();
    return { state, source };
  }
  const toA = () => ask(network.b, "10.0.1.2", 8080);
  const selectA = { podSelector: { matchLabels: { app: "a" } } };

  it("without policies everything is open", async () => {
    await apply();
    expect([await toA(), await ask(network.client, "10.0.1.2", 8080)]).toEqual(["a 10.0.2.2", "a 192.168.0.10"]);
  });

  it("a selected pod is closed to all but its own node; the other one stays open", async () => {
    await apply(selectA);
    expect(await toA()).toBe("dropped");
    expect(await ask(network.client, "10.0.1.2", 8080)).toBe("dropped");
    expect(await ask(network.b, "fd00:1::2", 8080)).toBe("dropped");
    // Probes of the kubelet come from the node.
    expect(await ask(network.node, "10.0.1.2", 8080)).toBe("a 10.0.1.1");
    // What it asks for itself is answered.
    expect(await ask(network.a, "10.0.2.2", 8080)).toBe("b 10.0.1.2");
  });

  it("peers by label, ports by number and name", async () => {
    await apply({
      ...selectA,
      ingress: [{ from: [{ podSelector: { matchLabels: { app: "b" } } }], ports: [{ port: "http" }] }],
    });
    expect(await toA()).toBe("a 10.0.2.2");
    expect(await ask(network.b, "fd00:1::2", 8080)).toBe("a fd00:2::2");
    expect(await ask(network.b, "10.0.1.2", 8080, { protocol: "udp" })).toBe("dropped");
    expect(await ask(network.client, "10.0.1.2", 8080)).toBe("dropped");
    await apply({ ...selectA, ingress: [{ ports: [{ port: 1, endPort: 8079 }] }] });
    expect(await toA()).toBe("dropped");
    await apply({ ...selectA, ingress: [{ ports: [{ port: 8000, endPort: 8090 }] }] });
    expect(await toA()).toBe("a 10.0.2.2");
  });

  it("networks with exceptions", async () => {
    await apply({
      ...selectA,
      ingress: [{ from: [{ ipBlock: { cidr: "192.168.0.0/16", except: ["192.168.0.10/32"] } }] }],
    });
    expect(await ask(network.client, "10.0.1.2", 8080)).toBe("dropped");
    await apply({
      ...selectA,
      ingress: [{ from: [{ ipBlock: { cidr: "192.168.0.0/16", except: ["192.168.7.0/24"] } }] }],
    });
    expect(await ask(network.client, "10.0.1.2", 8080)).toBe("a 192.168.0.10");
    expect(await toA()).toBe("dropped");
  });

  it("egress is closed on its own, and opened to named ports of peers", async () => {
    await apply({ podSelector: { matchLabels: { app: "b" } }, policyTypes: ["Egress"] });
    expect(await toA()).toBe("dropped");
    expect(await ask(network.a, "10.0.2.2", 8080)).toBe("b 10.0.1.2");
    await apply({
      podSelector: { matchLabels: { app: "b" } },
      policyTypes: ["Egress"],
      egress: [{ to: [selectA], ports: [{ port: "http" }] }],
    });
    expect(await toA()).toBe("a 10.0.2.2");
    expect(await ask(network.b, "192.168.0.10", 8080)).toBe("dropped");
  });

  it("both directions must allow a connection", async () => {
    const letOut = { podSelector: { matchLabels: { app: "b" } }, policyTypes: ["Egress" as const], egress: [{}] };
    await apply(letOut, selectA);
    expect(await toA()).toBe("dropped");
    await apply(letOut, { ...selectA, ingress: [{}] });
    expect(await toA()).toBe("a 10.0.2.2");
  });

  it("a thousand policies on one pod allow what one of them allows, and nothing else", async () => {
    const many = Array.from({ length: 1_000 }, (_, at) => ({
      ...selectA,
      ingress: [
        { from: [{ ipBlock: { cidr: `172.16.${at >> 2}.${(at & 3) * 64}/26` } }], ports: [{ port: 10_000 + at }] },
      ],
    }));
    await apply(...many);
    expect(await toA()).toBe("dropped");
    await apply(...many, { ...selectA, ingress: [{ ports: [{ port: 8080 }] }] });
    expect(await toA()).toBe("a 10.0.2.2");
    expect(await ask(network.b, "10.0.1.2", 8080, { protocol: "udp" })).toBe("dropped");
  });

  it("a change is made by a small transaction, and equals a table written at once", async () => {
    const friends = { ...selectA, ingress: [{ from: [{ podSelector: { matchLabels: { role: "friend" } } }] }] };
    const { state, source } = await apply(friends);
    expect(await toA()).toBe("dropped");
    state.putPod(podOf("b", 2, { labels: { app: "b", role: "friend" } }));
    await nft.run(source.writeChanges());
    source.applied();
    expect(await toA()).toBe("a 10.0.2.2");
    state.putPolicy("ns/p0", undefined);
    await nft.run(source.writeChanges());
    source.applied();
    await nft.run(source.writeChanges());
    source.applied();
    const changed = network.node.run("nft list table inet coxswain-policy");
    await nft.run(source.writeAll());
    source.applied();
    expect(changed.split("\n").sort()).toEqual(
      network.node.run("nft list table inet coxswain-policy").split("\n").sort(),
    );
  });

  it("while a selected pod has no address yet, unknown addresses of the node's network are closed", async () => {
    const { state, source } = await apply({ podSelector: { matchLabels: { app: "new" } } });
    state.putNetworks(["10.0.0.0/16"]);
    state.removePod("ns/a");
    state.putPod({ ...podOf("a", 1), key: "ns/new", labels: { app: "new" }, addresses: [] });
    await nft.run(source.writeChanges());
    source.applied();
    expect(await toA()).toBe("dropped");
    expect(await ask(network.client, "10.0.2.2", 8080)).toBe("b 192.168.0.10");
  });
});
