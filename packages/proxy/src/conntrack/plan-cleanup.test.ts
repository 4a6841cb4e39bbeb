import { describe, expect, it } from "vitest";
import { planFrontends } from "../frontends/plan-frontends.js";
import { service, slice, testNode } from "../frontends/service.test.support.js";
import { readEntry } from "./conntrack-entry.js";
import { hasFlows, planCleanup } from "./plan-cleanup.js";

const flow = (to: string, answeredBy: string, protocol = "udp      17"): string => {
  const [address, port] = to.split(" ");
  const [reply, replyPort] = answeredBy.split(" ");
  return `${protocol} 29 src=10.0.9.9 dst=${address} sport=5000 dport=${port} [UNREPLIED] src=${reply} dst=10.0.9.9 sport=${replyPort} dport=5000 mark=0 use=1`;
};

describe("a line of conntrack", () => {
  it("is read with both directions", () =>
    expect(readEntry(flow("10.96.0.1 53", "10.0.0.1 5353"))).toEqual({
      protocol: "udp",
      originalAddress: "10.96.0.1",
      originalPort: 53,
      replyAddress: "10.0.0.1",
      replyPort: 5353,
    }));
  it("of another protocol, or cut off, is left out", () => {
    expect(readEntry(flow("10.96.0.1 53", "10.0.0.1 53", "tcp       6"))).toBeUndefined();
    expect(readEntry("udp 17 29 src=10.0.9.9 dst=10.96.0.1 sport=5000")).toBeUndefined();
    expect(readEntry("conntrack v1.4.7: 3 flow entries have been shown.")).toBeUndefined();
  });
});

const dns = service({
  type: "NodePort",
  externalIPs: ["1.2.3.4"],
  ports: [{ name: "dns", protocol: "UDP", port: 53, nodePort: 30053 }],
});
const endpoints = (...texts: string[]) => [slice(texts, { ports: [{ name: "dns", port: 5353, protocol: "UDP" }] })];

const rows = [
  { name: "an endpoint that serves keeps its flows", flow: flow("10.96.0.1 53", "10.0.0.1 5353"), removed: false },
  { name: "one that terminates keeps them, too", flow: flow("10.96.0.1 53", "10.0.0.2 5353"), removed: false },
  { name: "one that went loses them", flow: flow("10.96.0.1 53", "10.0.0.9 5353"), removed: true },
  { name: "the right address with another port loses them", flow: flow("10.96.0.1 53", "10.0.0.1 53"), removed: true },
  { name: "flows from before the service had endpoints go", flow: flow("10.96.0.1 53", "10.96.0.1 53"), removed: true },
  { name: "external addresses count", flow: flow("1.2.3.4 53", "10.0.0.9 5353"), removed: true },
  { name: "node ports count at every address", flow: flow("192.168.7.7 30053", "10.0.0.9 5353"), removed: true },
  { name: "flows to no service are nobody's business", flow: flow("8.8.8.8 53", "8.8.8.8 53"), removed: false },
  {
    name: "SCTP on the same port is another service",
    flow: flow("10.96.0.1 53", "10.0.0.9 5353", "sctp 132"),
    removed: false,
  },
];

describe("flows that endpoints leave behind", () => {
  const plan = planFrontends(dns, endpoints("10.0.0.1", "10.0.0.2 terminating"), testNode);
  for (const row of rows)
    it(row.name, () => {
      const entry = readEntry(row.flow);
      expect(planCleanup(plan ? [plan] : [], entry ? [entry] : [])).toHaveLength(row.removed ? 1 : 0);
    });

  it("stay where no endpoint serves", () => {
    const none = planFrontends(dns, endpoints("10.0.0.1 unready"), testNode);
    const entry = readEntry(flow("10.96.0.1 53", "10.0.0.9 5353"));
    expect(planCleanup(none ? [none] : [], entry ? [entry] : [])).toEqual([]);
  });

  it("with the same ends are removed together", () => {
    const entry = readEntry(flow("10.96.0.1 53", "10.0.0.9 5353"));
    expect(planCleanup(plan ? [plan] : [], entry ? [entry, { ...entry }] : [])).toHaveLength(1);
  });

  it("are only looked for after changes of services with UDP or SCTP", () => {
    expect(hasFlows(plan)).toBe(true);
    expect(hasFlows(planFrontends(service(), [], testNode))).toBe(false);
    expect(hasFlows(undefined)).toBe(false);
  });
});
