import type { NetworkPolicySpec } from "@coxswain/api/networking/v1";
import { describe, expect, it } from "vitest";
import type { PolicyPod } from "./policy-pod.js";
import { PolicySource } from "./policy-source.js";
import { PolicyState } from "./policy-state.js";

const pod = (name: string, address: string, more: Partial<PolicyPod> = {}): PolicyPod => ({
  key: `ns/${name}`,
  namespace: "ns",
  labels: { app: name },
  nodeName: "here",
  addresses: address === "" ? [] : [{ family: "IPv4", text: address }],
  namedPorts: [],
  ...more,
});

function open() {
  const state = new PolicyState("here");
  const source = new PolicySource(state);
  const policy = (name: string, spec: NetworkPolicySpec | undefined): void =>
    state.putPolicy(`ns/${name}`, spec && { metadata: { namespace: "ns", name }, spec });
  /** The commands since the last call, without the table's name and hashes. */
  const commands = (): string[] => {
    const text = source.writeChanges();
    source.applied();
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => line.replaceAll(" inet coxswain-policy", "").replaceAll(/-[0-9a-f]{16}/g, "-#"));
  };
  source.writeAll();
  source.applied();
  return { state, source, policy, commands };
}

const fromFriends: NetworkPolicySpec = {
  podSelector: { matchLabels: { app: "web" } },
  ingress: [{ from: [{ podSelector: { matchLabels: { app: "friend" } } }] }],
};

describe("policies in a table", () => {
  it("a selected pod leads to a chain; a peer that comes or goes is one element", () => {
    const { state, policy, commands } = open();
    state.putPod(pod("web", "10.0.1.2"));
    expect(commands()).toEqual(["add element known-4 { 10.0.1.2 }", "add element self-4 { 10.0.1.2 . 10.0.1.2 }"]);
    policy("p", fromFriends);
    expect(commands()).toEqual([
      "add set peer-#-4 { type ipv4_addr ; }",
      "add set peer-#-6 { type ipv6_addr ; }",
      "add chain ingress-#",
      "add rule ingress-# ip saddr @peer-#-4 return",
      "add rule ingress-# ip6 saddr @peer-#-6 return",
      "add rule ingress-# drop",
      "add element ingress-4 { 10.0.1.2 : jump ingress-# }",
    ]);
    state.putPod(pod("friend", "10.0.2.2", { nodeName: "there" }));
    expect(commands()).toEqual(["add element peer-#-4 { 10.0.2.2 }"]);
    state.putPod(pod("stranger", "10.0.2.3", { nodeName: "there" }));
    expect(commands()).toEqual([]);
    state.putPod(pod("friend", "10.0.2.2", { nodeName: "there", labels: { app: "foe" } }));
    expect(commands()).toEqual(["delete element peer-#-4 { 10.0.2.2 }"]);
  });

  it("two pods with equal policies share a chain; it goes with the last, one transaction later", () => {
    const { state, policy, commands, source } = open();
    policy("p", fromFriends);
    state.putPod(pod("web", "10.0.1.2"));
    commands();
    state.putPod(pod("second", "10.0.1.3", { labels: { app: "web" } }));
    expect(commands().filter((line) => line.includes("chain"))).toEqual([]);
    state.removePod("ns/web");
    expect(commands()).toContain("delete element ingress-4 { 10.0.1.2 }");
    expect(source.hasLeftovers).toBe(false);
    policy("p", undefined);
    expect(commands()).toEqual(["delete element ingress-4 { 10.0.1.3 }"]);
    expect(source.hasLeftovers).toBe(true);
    expect(commands()).toEqual(["delete chain ingress-#", "delete set peer-#-4", "delete set peer-#-6"]);
    expect(source.hasLeftovers).toBe(false);
  });

  it("a policy that comes back before its sets are deleted finds them filled", () => {
    const { state, policy, commands } = open();
    state.putPod(pod("web", "10.0.1.2"));
    state.putPod(pod("friend", "10.0.2.2"));
    policy("p", fromFriends);
    commands();
    policy("p", undefined);
    commands();
    state.removePod("ns/friend");
    state.putPod(pod("friend", "10.0.2.9"));
    policy("p", fromFriends);
    const after = commands();
    expect(after).toContain("add element ingress-4 { 10.0.1.2 : jump ingress-# }");
    expect(after).toContain("delete element peer-#-4 { 10.0.2.2 }");
    expect(after).toContain("add element peer-#-4 { 10.0.2.9 }");
    expect(commands()).toEqual([]);
  });

  it("labels of a namespace decide who is a peer", () => {
    const { state, policy, commands } = open();
    state.putPod(pod("web", "10.0.1.2"));
    state.putPod(pod("guest", "10.0.2.2", { key: "other/guest", namespace: "other" }));
    policy("p", { podSelector: {}, ingress: [{ from: [{ namespaceSelector: { matchLabels: { team: "a" } } }] }] });
    commands();
    state.putNamespace("other", { team: "a" });
    expect(commands()).toEqual(["add element peer-#-4 { 10.0.2.2 }"]);
    state.putNamespace("other", {});
    expect(commands()).toEqual(["delete element peer-#-4 { 10.0.2.2 }"]);
  });

  it("a new pod that a policy selects is closed until its address is known", () => {
    const { state, policy, commands } = open();
    state.putNetworks(["10.0.1.0/24", "fd00:1::/64"]);
    policy("p", fromFriends);
    state.putPod(pod("other", ""));
    expect(commands()).toEqual([]);
    state.putPod(pod("web", ""));
    expect(commands().filter((line) => line.includes("pending"))).toEqual([
      "add element pending-4 { 10.0.1.0/24 }",
      "add element pending-6 { fd00:1::/64 }",
    ]);
    state.putPod(pod("web", "10.0.1.2"));
    expect(commands()).toEqual([
      "delete element pending-4 { 10.0.1.0/24 }",
      "delete element pending-6 { fd00:1::/64 }",
      "add element ingress-4 { 10.0.1.2 : jump ingress-# }",
      "add element known-4 { 10.0.1.2 }",
      "add element self-4 { 10.0.1.2 . 10.0.1.2 }",
    ]);
  });

  it("pods of other nodes are peers, and not isolated here", () => {
    const { state, policy, commands } = open();
    policy("p", fromFriends);
    state.putPod(pod("web", "10.0.1.2", { nodeName: "there" }));
    expect(commands()).toEqual([]);
  });

  it("of two pods with one address the last one counts, and the other one again when that is gone", () => {
    const { state, policy, source } = open();
    const chainOf = (): string | undefined => {
      const all = source.writeAll();
      source.applied();
      const [, chain] = /ingress-4 \{ 10\.0\.1\.2 : jump (\S+) /.exec(all) ?? [];
      if (chain !== undefined) expect(all).toContain(`add chain inet coxswain-policy ${chain}\n`);
      return chain;
    };
    policy("old", { podSelector: { matchLabels: { app: "old" } } });
    policy("new", { podSelector: { matchLabels: { app: "new" } }, ingress: [{ ports: [{ port: 80 }] }] });
    state.putPod(pod("old", "10.0.1.2"));
    const old = chainOf();
    state.putPod(pod("new", "10.0.1.2"));
    const fresh = chainOf();
    expect(fresh).not.toBe(old);
    state.removePod("ns/new");
    expect(chainOf()).toBe(old);
    state.putPod(pod("new", "10.0.1.2"));
    state.removePod("ns/old");
    expect(chainOf()).toBe(fresh);
    state.removePod("ns/new");
    expect(chainOf()).toBeUndefined();
  });

  it("a thousand policies on one pod are one chain", () => {
    const { state, policy, commands } = open();
    for (let at = 0; at < 1_000; at++)
      policy(`p${at}`, { podSelector: {}, ingress: [{ ports: [{ port: 1_000 + at }] }] });
    state.putPod(pod("web", "10.0.1.2"));
    const lines = commands();
    expect(lines.filter((line) => line.startsWith("add chain"))).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith("add rule"))).toHaveLength(1_001);
  });
});
