import type { NetworkPolicySpec } from "@coxswain/api/networking/v1";
import { describe, expect, it } from "vitest";
import { createPeer } from "./peer.js";
import { planPod } from "./plan-pod.js";
import { planPolicy } from "./plan-policy.js";
import type { PolicyPod } from "./policy-pod.js";
import { portSet } from "./port-ranges.js";

const web: PolicyPod = {
  key: "ns/web",
  namespace: "ns",
  labels: { app: "web" },
  nodeName: "here",
  addresses: [{ family: "IPv4", text: "10.0.1.2" }],
  namedPorts: [
    { name: "http", protocol: "TCP", port: 8080 },
    { name: "dns", protocol: "UDP", port: 53 },
  ],
};

const friends = { podSelector: { matchLabels: { app: "friend" } } };
const friendSet = createPeer({ namespace: "ns", ...friends }).name;
const otherNamespaces = { namespaceSelector: { matchLabels: { team: "a" } } };
const otherSet = createPeer({ namespace: "ns", ...otherNamespaces }).name;

/** The rules of the pod's chains, without the names of sets that do not matter. */
const rulesOf = (spec: NetworkPolicySpec, pod = web): { ingress?: readonly string[]; egress?: readonly string[] } => {
  const plan = planPod(pod, [planPolicy({ metadata: { namespace: "ns", name: "p" }, spec })]);
  return {
    ...(plan.ingress && { ingress: plan.ingress.chain.rules }),
    ...(plan.egress && { egress: plan.egress.chain.rules }),
  };
};

const rows: { name: string; spec: NetworkPolicySpec; ingress?: string[]; egress?: string[] }[] = [
  { name: "a policy of another pod isolates nothing", spec: { podSelector: { matchLabels: { app: "db" } } } },
  { name: "no rules: nothing comes in", spec: { podSelector: {} }, ingress: ["drop"] },
  {
    name: "egress rules isolate both directions",
    spec: { podSelector: {}, egress: [{}] },
    ingress: ["drop"],
    egress: ["return"],
  },
  { name: "policyTypes decide", spec: { podSelector: {}, policyTypes: ["Egress"] }, egress: ["drop"] },
  { name: "an empty rule lets everything in", spec: { podSelector: {}, ingress: [{}] }, ingress: ["return"] },
  {
    name: "peers are sets, one for each family",
    spec: { podSelector: {}, ingress: [{ from: [friends] }] },
    ingress: [`ip saddr @${friendSet}-4 return`, `ip6 saddr @${friendSet}-6 return`, "drop"],
  },
  {
    name: "egress looks at the destination",
    spec: { podSelector: {}, policyTypes: ["Egress"], egress: [{ to: [otherNamespaces] }] },
    egress: [`ip daddr @${otherSet}-4 return`, `ip6 daddr @${otherSet}-6 return`, "drop"],
  },
  {
    name: "ports are sets of ranges by protocol",
    spec: {
      podSelector: {},
      ingress: [
        {
          ports: [
            { port: 80 },
            { port: 8080, endPort: 8090 },
            { port: 8085 },
            { protocol: "UDP", port: 53 },
            { protocol: "SCTP" },
          ],
        },
      ],
    },
    ingress: ["meta l4proto sctp return", "tcp dport { 80, 8080-8090 } return", "udp dport { 53 } return", "drop"],
  },
  {
    name: "a named port is the selected pod's number",
    spec: {
      podSelector: {},
      ingress: [{ ports: [{ port: "http" }, { protocol: "UDP", port: "dns" }, { port: "dns" }] }],
    },
    ingress: ["tcp dport { 8080 } return", "udp dport { 53 } return", "drop"],
  },
  {
    name: "a name that the pod does not have matches nothing",
    spec: { podSelector: {}, ingress: [{ ports: [{ port: "nope" }] }] },
    ingress: ["drop"],
  },
  {
    name: "networks have exceptions",
    spec: {
      podSelector: {},
      ingress: [
        { from: [{ ipBlock: { cidr: "10.0.0.0/8", except: ["10.1.0.0/16", "10.1.2.0/24"] } }], ports: [{ port: 80 }] },
      ],
    },
    ingress: ["ip saddr 10.0.0.0/8 ip saddr != { 10.1.0.0/16 } tcp dport { 80 } return", "drop"],
  },
  {
    name: "networks of IPv6, too",
    spec: { podSelector: {}, policyTypes: ["Egress"], egress: [{ to: [{ ipBlock: { cidr: "fd00::/8" } }] }] },
    egress: ["ip6 daddr fd00::/8 return", "drop"],
  },
];

describe("what a policy allows", () => {
  for (const { name, spec, ingress, egress } of rows)
    it(name, () => expect(rulesOf(spec)).toEqual({ ...(ingress && { ingress }), ...(egress && { egress }) }));

  it("egress to a named port looks up the peer's number", () => {
    const named = createPeer({ namespace: "ns", ...friends }, { name: "http", protocol: "TCP" }).name;
    expect(
      rulesOf({ podSelector: {}, policyTypes: ["Egress"], egress: [{ to: [friends], ports: [{ port: "http" }] }] }),
    ).toEqual({
      egress: [`ip daddr . tcp dport @${named}-4 return`, `ip6 daddr . tcp dport @${named}-6 return`, "drop"],
    });
  });

  it("a policy of another namespace does not select the pod", () => {
    const policy = planPolicy({ metadata: { namespace: "other", name: "p" }, spec: { podSelector: {} } });
    expect(planPod(web, [policy])).toEqual({});
  });

  it("what one of several policies allows is allowed, and equal sets of policies are one chain", () => {
    const policy = (port: number) =>
      planPolicy({
        metadata: { namespace: "ns", name: `p${port}` },
        spec: { podSelector: {}, ingress: [{ ports: [{ port }] }] },
      });
    const one = planPod(web, [policy(80), policy(90)]);
    expect(one.ingress?.chain.rules).toEqual(["tcp dport { 80 } return", "tcp dport { 90 } return", "drop"]);
    const other = planPod({ ...web, key: "ns/other", namedPorts: [] }, [policy(90), policy(80)]);
    expect(other.ingress?.chain.name).toBe(one.ingress?.chain.name);
  });
});

describe("peers", () => {
  const pod = (namespace: string, labels: Record<string, string>) => ({ namespace, labels });
  const cases = [
    {
      name: "pods of the policy's namespace",
      peer: createPeer({ namespace: "ns", ...friends }),
      pod: pod("ns", { app: "friend" }),
      is: true,
    },
    {
      name: "not those of another one",
      peer: createPeer({ namespace: "ns", ...friends }),
      pod: pod("x", { app: "friend" }),
      is: false,
    },
    {
      name: "all pods of namespaces by label",
      peer: createPeer({ namespace: "ns", ...otherNamespaces }),
      pod: pod("x", {}),
      is: true,
    },
    {
      name: "pods by label in namespaces by label",
      peer: createPeer({ namespace: "ns", ...otherNamespaces, ...friends }),
      pod: pod("x", {}),
      is: false,
    },
    {
      name: "an empty namespace selector is every namespace",
      peer: createPeer({ namespace: "ns", namespaceSelector: {} }),
      pod: pod("y", {}),
      is: true,
    },
  ];
  for (const { name, peer, pod: who, is } of cases)
    it(name, () => expect(peer.matches(who, who.namespace === "x" ? { team: "a" } : {})).toBe(is));
});

describe("ranges of ports", () => {
  it("are merged", () =>
    expect(
      portSet([
        { first: 5, last: 9 },
        { first: 1, last: 1 },
        { first: 10, last: 12 },
        { first: 7, last: 8 },
      ]),
    ).toBe("1, 5-12"));
});
