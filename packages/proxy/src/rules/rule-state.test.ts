import type { Service } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { planFrontends } from "../frontends/plan-frontends.js";
import { loadBalancerAt, service, slice, testNode } from "../frontends/service.test.support.js";
import { RuleState } from "./rule-state.js";
import { testTable } from "./table.test.support.js";
import { writeChanges, writeTable } from "./transaction.js";

const nodePort = (spec: Service["spec"] = {}): Service =>
  service({ type: "NodePort", ports: [{ name: "http", protocol: "TCP", port: 80, nodePort: 30080 }], ...spec });
const affine = service({ sessionAffinity: "ClientIP" });

/** The commands without the table's name, between the two states of one service; undefined: it is not there. */
function commands(before: State | undefined, after: State | undefined): string[] {
  const state = new RuleState(testTable());
  const put = (wanted: State | undefined): void =>
    void state.put(
      "ns/svc",
      wanted && planFrontends(wanted[0], wanted[1].length === 0 ? [] : [slice(wanted[1])], testNode),
    );
  put(before);
  state.planAll(undefined);
  state.applied();
  put(after);
  return text(writeChanges(testTable(), state.planChanges()));
}
type State = readonly [Service, string[]];

/** With the hashes and the table left out. */
const text = (commands: string): string[] =>
  commands
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.replaceAll("ip coxswain-proxy ", "").replaceAll(/-[0-9a-f]{16}-ns.svc.http.tcp/g, ""));

const one = ["10.0.0.1 local"];
const two = ["10.0.0.1 local", "10.0.0.2"];
const rows: { name: string; before?: State; after?: State; commands: string[] }[] = [
  { name: "nothing changed: no command", before: [service(), two], after: [service(), two], commands: [] },
  {
    name: "a new service is elements and, for a new number of backends, one shared chain",
    after: [service(), two],
    commands: [
      "add chain tcp-to-2",
      "flush chain tcp-to-2",
      "add rule tcp-to-2 dnat ip to ip daddr . tcp dport . numgen random mod 2 map @tcp-backends",
      "add element cluster-ips { 10.96.0.1 }",
      "add element hairpin { 10.0.0.1 . 10.0.0.1 . tcp . 8080 }",
      "add element frontends { 10.96.0.1 . tcp . 80 : goto tcp-to-2 }",
      "add element tcp-backends { 10.96.0.1 . 80 . 0 : 10.0.0.1 . 8080, 10.96.0.1 . 80 . 1 : 10.0.0.2 . 8080 }",
    ],
  },
  {
    name: "one endpoint in place of another is one element",
    before: [service(), ["10.0.0.2", "10.0.0.3"]],
    after: [service(), ["10.0.0.1", "10.0.0.3"]],
    commands: [
      "delete element tcp-backends { 10.96.0.1 . 80 . 0 }",
      "add element tcp-backends { 10.96.0.1 . 80 . 0 : 10.0.0.1 . 8080 }",
    ],
  },
  {
    name: "the first endpoint went: the last one takes its place",
    before: [service(), ["10.0.0.1", "10.0.0.2", "10.0.0.3"]],
    after: [service(), ["10.0.0.2", "10.0.0.3"]],
    commands: [
      "add chain tcp-to-2",
      "flush chain tcp-to-2",
      "add rule tcp-to-2 dnat ip to ip daddr . tcp dport . numgen random mod 2 map @tcp-backends",
      "delete element frontends { 10.96.0.1 . tcp . 80 }",
      "delete element tcp-backends { 10.96.0.1 . 80 . 0, 10.96.0.1 . 80 . 2 }",
      "add element frontends { 10.96.0.1 . tcp . 80 : goto tcp-to-2 }",
      "add element tcp-backends { 10.96.0.1 . 80 . 0 : 10.0.0.3 . 8080 }",
    ],
  },
  {
    name: "the last endpoint went: connections are rejected",
    before: [service(), ["10.0.0.2"]],
    after: [service(), []],
    commands: [
      "delete element frontends { 10.96.0.1 . tcp . 80 }",
      "delete element tcp-backends { 10.96.0.1 . 80 . 0 }",
      "add element no-endpoints { 10.96.0.1 . tcp . 80 : goto reject-chain }",
    ],
  },
  {
    name: "a service that goes leaves nothing",
    before: [service(), one],
    commands: [
      "delete element cluster-ips { 10.96.0.1 }",
      "delete element hairpin { 10.0.0.1 . 10.0.0.1 . tcp . 8080 }",
      "delete element frontends { 10.96.0.1 . tcp . 80 }",
      "delete element tcp-backends { 10.96.0.1 . 80 . 0 }",
    ],
  },
  {
    name: "a node port masquerades and has maps without an address",
    before: [service(), ["10.0.0.2"]],
    after: [nodePort(), ["10.0.0.2"]],
    commands: [
      "add chain tcp-node-port-to-1",
      "add chain masquerade-tcp-node-port-to-1",
      "flush chain tcp-node-port-to-1",
      "add rule tcp-node-port-to-1 dnat ip to tcp dport . numgen random mod 1 map @tcp-node-port-backends",
      "flush chain masquerade-tcp-node-port-to-1",
      "add rule masquerade-tcp-node-port-to-1 meta mark set meta mark or 0x00004000",
      "add rule masquerade-tcp-node-port-to-1 goto tcp-node-port-to-1",
      "add element node-ports { tcp . 30080 : goto masquerade-tcp-node-port-to-1 }",
      "add element tcp-node-port-backends { 30080 . 0 : 10.0.0.2 . 8080 }",
    ],
  },
  {
    name: "external policy Local has two lists, and drops what has no backend here",
    before: [nodePort({ externalTrafficPolicy: "Local" }), two],
    after: [nodePort({ externalTrafficPolicy: "Local" }), ["10.0.0.2"]],
    commands: [
      "add chain tcp-to-1",
      "add chain tcp-node-port-to-1",
      "add chain tcp-node-port-inside-1-local-0",
      "flush chain tcp-to-1",
      "add rule tcp-to-1 dnat ip to ip daddr . tcp dport . numgen random mod 1 map @tcp-backends",
      "flush chain tcp-node-port-to-1",
      "add rule tcp-node-port-to-1 dnat ip to tcp dport . numgen random mod 1 map @tcp-node-port-backends",
      "flush chain tcp-node-port-inside-1-local-0",
      "add rule tcp-node-port-inside-1-local-0 ip saddr 10.0.0.0/16 goto tcp-node-port-to-1",
      "add rule tcp-node-port-inside-1-local-0 fib saddr type local meta mark set meta mark or 0x00004000",
      "add rule tcp-node-port-inside-1-local-0 fib saddr type local goto tcp-node-port-to-1",
      "delete element hairpin { 10.0.0.1 . 10.0.0.1 . tcp . 8080 }",
      "delete element frontends { 10.96.0.1 . tcp . 80 }",
      "delete element tcp-backends { 10.96.0.1 . 80 . 0, 10.96.0.1 . 80 . 1 }",
      "delete element node-ports { tcp . 30080 }",
      "delete element tcp-node-port-backends { 30080 . 0, 30080 . 1 }",
      "delete element tcp-local-node-port-backends { 30080 . 0 }",
      "add element frontends { 10.96.0.1 . tcp . 80 : goto tcp-to-1 }",
      "add element tcp-backends { 10.96.0.1 . 80 . 0 : 10.0.0.2 . 8080 }",
      "add element node-ports { tcp . 30080 : goto tcp-node-port-inside-1-local-0 }",
      "add element tcp-node-port-backends { 30080 . 0 : 10.0.0.2 . 8080 }",
      "add element no-endpoint-node-ports { tcp . 30080 : drop }",
    ],
  },
  {
    name: "session affinity has a chain and a set for each backend; those that stay keep their clients",
    before: [affine, ["10.0.0.1", "10.0.0.2"]],
    after: [affine, ["10.0.0.2", "10.0.0.3"]],
    commands: [
      "add set affinity/10.0.0.3.8080/10800s { type ipv4_addr ; flags dynamic,timeout ; timeout 10800s ; }",
      "add chain endpoint/10.0.0.3.8080",
      "add chain internal",
      "flush chain endpoint/10.0.0.3.8080",
      "add rule endpoint/10.0.0.3.8080 update @affinity/10.0.0.3.8080/10800s { ip saddr }",
      "add rule endpoint/10.0.0.3.8080 meta l4proto tcp dnat to 10.0.0.3:8080",
      "flush chain internal",
      "add rule internal ip saddr @affinity/10.0.0.2.8080/10800s goto endpoint/10.0.0.2.8080",
      "add rule internal ip saddr @affinity/10.0.0.3.8080/10800s goto endpoint/10.0.0.3.8080",
      "add rule internal numgen random mod 2 vmap { 0 : goto endpoint/10.0.0.2.8080, 1 : goto endpoint/10.0.0.3.8080 }",
      "flush chain endpoint/10.0.0.1.8080",
      "delete set affinity/10.0.0.1.8080/10800s",
    ],
  },
  {
    name: "source ranges have a chain",
    after: [
      service(
        { type: "LoadBalancer", loadBalancerSourceRanges: ["203.0.113.0/24", "203.0.113.7/32"] },
        loadBalancerAt("5.6.7.8"),
      ),
      [],
    ],
    commands: [
      "add chain firewall",
      "flush chain firewall",
      "add rule firewall ip saddr != { 203.0.113.0/24 } drop",
      "add element cluster-ips { 10.96.0.1 }",
      "add element no-endpoints { 10.96.0.1 . tcp . 80 : goto reject-chain, 5.6.7.8 . tcp . 80 : goto reject-chain }",
      "add element firewall { 5.6.7.8 . tcp . 80 : goto firewall }",
    ],
  },
];

describe("the transaction between two states", () => {
  for (const row of rows) it(row.name, () => expect(commands(row.before, row.after)).toEqual(row.commands));

  it("a chain that was emptied is deleted by the next transaction", () => {
    const state = new RuleState(testTable());
    state.put("ns/svc", planFrontends(affine, [slice(one)], testNode));
    state.planAll(undefined);
    state.applied();
    state.put("ns/svc", undefined);
    const emptied = text(writeChanges(testTable(), state.planChanges())).filter((line) => line.startsWith("flush"));
    expect(emptied).toEqual(["flush chain endpoint/10.0.0.1.8080", "flush chain internal"]);
    state.applied();
    expect(state.hasLeftovers).toBe(true);
    const deleted = text(writeChanges(testTable(), state.planChanges()));
    expect(deleted).toEqual(["delete chain endpoint/10.0.0.1.8080", "delete chain internal"]);
    state.applied();
    expect(state.hasLeftovers).toBe(false);
  });

  it("of two services with one external address the older one has it, until it goes", () => {
    const state = new RuleState(testTable());
    const outside = (name: string, ip: string, at: string): Service => {
      const made = service({ clusterIP: ip, clusterIPs: [ip], externalIPs: ["1.2.3.4"] }, { name });
      return { ...made, metadata: { ...made.metadata, creationTimestamp: at } };
    };
    const young = planFrontends(outside("young", "10.96.0.1", "2026-02-01T00:00:00Z"), [slice(["10.0.0.1"])], testNode);
    const outsideElements = (): string[] =>
      text(writeTable(testTable(), state.planAll(undefined), undefined)).filter((line) => line.includes("1.2.3.4"));
    state.put("ns/young", young);
    const collisions = state.put(
      "ns/old",
      planFrontends(outside("old", "10.96.0.2", "2026-01-01T00:00:00Z"), [slice(two)], testNode),
    );
    expect(collisions).toContainEqual({
      container: "frontends",
      key: "1.2.3.4 . tcp . 80",
      winner: "ns/old",
      loser: "ns/young",
    });
    expect(outsideElements().join()).toContain("1.2.3.4 . tcp . 80 : goto masquerade-tcp-to-2");
    state.put("ns/old", undefined);
    expect(outsideElements().join()).toContain("1.2.3.4 . tcp . 80 : goto masquerade-tcp-to-1");
  });

  it("an endpoint of two services stays in the hairpin set until both are gone", () => {
    const state = new RuleState(testTable());
    const other = service({ clusterIP: "10.96.0.2", clusterIPs: ["10.96.0.2"] }, { name: "other" });
    state.put("ns/svc", planFrontends(service(), [slice(one)], testNode));
    state.put("ns/other", planFrontends(other, [slice(one)], testNode));
    state.planAll(undefined);
    state.applied();
    const touchesHairpin = (): boolean => {
      const found = state.planChanges().elements.some(({ container }) => container === "hairpin");
      state.applied();
      return found;
    };
    state.put("ns/svc", undefined);
    expect(touchesHairpin()).toBe(false);
    state.put("ns/other", undefined);
    expect(touchesHairpin()).toBe(true);
  });
});
