import type { PodSpec } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { pod } from "../pod/pod.test.support.js";
import { type DnsFacts, parseResolvConf, planDns } from "./plan-dns.js";

const host = { servers: ["192.0.2.1"], searches: ["example.com"], options: ["rotate"] };
const facts: DnsFacts = { host, clusterDns: ["10.96.0.10"], clusterDomain: "cluster.local" };
const clusterSearches = ["default.svc.cluster.local", "svc.cluster.local", "cluster.local", "example.com"];

const cases: { name: string; spec: Partial<PodSpec>; facts?: Partial<DnsFacts>; is: object; warns?: string }[] = [
  {
    name: "ClusterFirst asks the cluster's server, with its searches before the node's",
    spec: { dnsPolicy: "ClusterFirst" },
    is: { servers: ["10.96.0.10"], searches: clusterSearches, options: ["ndots:5"] },
  },
  {
    name: "ClusterFirst in the node's network is Default",
    spec: { dnsPolicy: "ClusterFirst", hostNetwork: true },
    is: host,
  },
  {
    name: "ClusterFirstWithHostNet asks the cluster's server there, too",
    spec: { dnsPolicy: "ClusterFirstWithHostNet", hostNetwork: true },
    is: { servers: ["10.96.0.10"] },
  },
  { name: "Default is the node's resolver", spec: { dnsPolicy: "Default" }, is: host },
  {
    name: "Default without a resolv.conf asks the node itself",
    spec: { dnsPolicy: "Default" },
    facts: { host: undefined },
    is: { servers: ["127.0.0.1"], searches: ["."] },
  },
  {
    name: "None has the pod's own configuration, and nothing else",
    spec: { dnsPolicy: "None", dnsConfig: { nameservers: ["1.1.1.1"], options: [{ name: "ndots", value: "2" }] } },
    is: { servers: ["1.1.1.1"], searches: [], options: ["ndots:2"] },
  },
  {
    name: "dnsConfig is added, without doubles, and its options win",
    spec: {
      dnsPolicy: "ClusterFirst",
      dnsConfig: {
        nameservers: ["10.96.0.10", "1.1.1.1"],
        searches: ["cluster.local", "more.org"],
        options: [{ name: "ndots", value: "1" }, { name: "edns0" }],
      },
    },
    is: {
      servers: ["10.96.0.10", "1.1.1.1"],
      searches: [...clusterSearches, "more.org"],
      options: ["ndots:1", "edns0"],
    },
  },
  {
    name: "without a cluster's server the node's is used, with a warning",
    spec: { dnsPolicy: "ClusterFirst" },
    facts: { clusterDns: [] },
    is: host,
    warns: "MissingClusterDNS",
  },
  {
    name: "a fourth server is left out, with a warning",
    spec: { dnsPolicy: "None", dnsConfig: { nameservers: ["1.1.1.1", "1.1.1.2", "1.1.1.3", "1.1.1.4"] } },
    is: { servers: ["1.1.1.1", "1.1.1.2", "1.1.1.3"] },
    warns: "DNSConfigForming",
  },
  {
    name: "searches of more than 2048 characters are cut, with a warning",
    spec: {
      dnsPolicy: "None",
      dnsConfig: { searches: Array.from({ length: 20 }, (_, i) => `${i}${"x".repeat(200)}`) },
    },
    is: { searches: Array.from({ length: 10 }, (_, i) => `${i}${"x".repeat(200)}`) },
    warns: "DNSConfigForming",
  },
];

describe("a pod's resolver", () => {
  for (const { name, spec, facts: other = {}, is, warns } of cases)
    it(name, () => {
      const planned = planDns(pod(spec), { ...facts, ...other });
      expect(planned).toMatchObject(is);
      expect(planned.warnings.map(({ reason }) => reason)).toEqual(warns ? [warns] : []);
    });
});

describe("resolv.conf", () => {
  it("has servers, the last search line, and each option once", () =>
    expect(
      parseResolvConf(
        "# comment\nnameserver 1.1.1.1\n nameserver  2.2.2.2 \nsearch a b.\nsearch c. .\noptions ndots:2 rotate\noptions ndots:3\n",
      ),
    ).toEqual({ servers: ["1.1.1.1", "2.2.2.2"], searches: ["c"], options: ["ndots:3", "rotate"] }));
  it("is refused where a server has no address", () => expect(() => parseResolvConf("nameserver \n")).toThrow("empty"));
});
