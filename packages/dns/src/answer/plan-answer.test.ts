import { codeOfType, type ResourceRecord } from "@coxswain/wire/dns";
import { describe, expect, it } from "vitest";
import { readService } from "../records/read-records.js";
import { serial, service, shop, zones } from "./cluster.test.support.js";
import type { ClusterZones } from "./cluster-zones.js";
import { planAnswer } from "./plan-answer.js";

const records = shop();

/** `name TYPE` in lines as zone files have them; aliases, answers, then additional records behind `+`. */
function ask(text: string, changed: Partial<ClusterZones> = {}): string[] {
  const [name = "", type = ""] = text.split(" ");
  const plan = planAnswer({ name, type: codeOfType(type)!, class: 1 }, records, { ...zones, ...changed });
  switch (plan.kind) {
    case "records":
      return [...plan.answers.map(line), ...plan.additionals.map((record) => `+ ${line(record)}`)];
    case "addresses":
      return [...plan.aliases.map(line), ...plan.addresses.map((address) => `${plan.name} ${plan.type} ${address}`)];
    case "alias":
      return [...plan.aliases.map(line), `? ${plan.target}`];
    case "no-data":
    case "no-name":
    case "failure":
      return [`${plan.kind} ${plan.soa.name}`];
    case "elsewhere":
    case "refused":
      return [plan.kind];
  }
}

function line(record: ResourceRecord): string {
  const { name, type, ttl, class: _, ...data } = record;
  const shownTtl = ttl === zones.ttl ? "" : ` ${ttl}`;
  return `${name}${shownTtl} ${type} ${Object.values(data).flat().join(" ")}`;
}

const web = "web.shop.svc.cluster.local";
const pets = "pets.shop.svc.cluster.local";

/** Rows of the Kubernetes DNS specification 1.1.0, by section. */
const specification = [
  {
    name: "2.2 the schema's version",
    ask: "dns-version.cluster.local TXT",
    is: ["dns-version.cluster.local 28800 TXT 1.1.0"],
  },
  { name: "2.3.1 A of a cluster IP", ask: `${web} A`, is: [`${web} A 10.96.0.7`] },
  {
    name: "2.3.1 AAAA of a cluster IP",
    ask: "dual.shop.svc.cluster.local AAAA",
    is: ["dual.shop.svc.cluster.local AAAA fd00:96::8"],
  },
  {
    name: "2.3.2 SRV of a named port, with the address of its target",
    ask: `_http._tcp.${web} SRV`,
    is: [`_http._tcp.${web} SRV 0 100 80 ${web}`, `+ ${web} A 10.96.0.7`],
  },
  { name: "2.3.3 PTR of a cluster IP", ask: "7.0.96.10.in-addr.arpa PTR", is: [`7.0.96.10.in-addr.arpa PTR ${web}`] },
  {
    name: "2.3.3 PTR of an IPv6 cluster IP",
    ask: "8.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.6.9.0.0.0.0.d.f.ip6.arpa PTR",
    is: ["8.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.6.9.0.0.0.0.d.f.ip6.arpa PTR dual.shop.svc.cluster.local"],
  },
  {
    name: "2.4.1 A of ready endpoints of a headless service",
    ask: `${pets} A`,
    is: [`${pets} A 10.1.0.1`, `${pets} A 10.1.0.2`],
  },
  { name: "2.4.1 AAAA of the same", ask: `${pets} AAAA`, is: [`${pets} AAAA fd00:1::`] },
  {
    name: "2.4.1 a headless service without endpoints does not exist",
    ask: "nobody.shop.svc.cluster.local A",
    is: ["no-name cluster.local"],
  },
  { name: "2.4.1 A of an endpoint with a hostname", ask: `rex.${pets} A`, is: [`rex.${pets} A 10.1.0.1`] },
  {
    name: "2.4.1 AAAA of the same hostname, in another case",
    ask: `rex.${pets} AAAA`,
    is: [`rex.${pets} AAAA fd00:1::`],
  },
  {
    name: "2.4.1 A of an endpoint without one, by its address",
    ask: `10-1-0-2.${pets} A`,
    is: [`10-1-0-2.${pets} A 10.1.0.2`],
  },
  {
    name: "2.4.2 SRV of a headless service: one per endpoint, sharing a weight of 100",
    ask: `_http._tcp.${pets} SRV`,
    is: [
      `_http._tcp.${pets} SRV 0 33 8080 rex.${pets}`,
      `_http._tcp.${pets} SRV 0 33 8080 10-1-0-2.${pets}`,
      `_http._tcp.${pets} SRV 0 33 8080 Rex.${pets}`,
      `+ rex.${pets} A 10.1.0.1`,
      `+ 10-1-0-2.${pets} A 10.1.0.2`,
      `+ Rex.${pets} AAAA fd00:1::`,
    ],
  },
  {
    name: "2.4.3 PTR of an endpoint: one for each of its services",
    ask: "1.0.1.10.in-addr.arpa PTR",
    is: [`1.0.1.10.in-addr.arpa PTR rex.${pets}`, "1.0.1.10.in-addr.arpa PTR rex.other.shop.svc.cluster.local"],
  },
  {
    name: "2.5 an ExternalName is chased elsewhere",
    ask: "outside.shop.svc.cluster.local A",
    is: ["outside.shop.svc.cluster.local CNAME www.example.com", "? www.example.com"],
  },
  {
    name: "2.5 an ExternalName within the cluster is chased here",
    ask: "inside.shop.svc.cluster.local A",
    is: [`inside.shop.svc.cluster.local CNAME ${web}`, `${web} A 10.96.0.7`],
  },
];

/** What the specification leaves open, as CoreDNS's kubernetes plugin with kubeadm's configuration has it. */
const coreDns = [
  {
    name: "the case of the question is kept",
    ask: "WeB.Shop.SVC.Cluster.LOCAL A",
    is: ["WeB.Shop.SVC.Cluster.LOCAL A 10.96.0.7"],
  },
  {
    name: "SRV targets have the case of the zone that was asked",
    ask: "_http._tcp.web.shop.svc.CLUSTER.local SRV",
    is: [
      "_http._tcp.web.shop.svc.CLUSTER.local SRV 0 100 80 web.shop.svc.CLUSTER.local",
      "+ web.shop.svc.CLUSTER.local A 10.96.0.7",
    ],
  },
  { name: "a service that is not there", ask: "no.shop.svc.cluster.local A", is: ["no-name cluster.local"] },
  { name: "a namespace that is not there", ask: "web.no.svc.cluster.local A", is: ["no-name cluster.local"] },
  { name: "a namespace itself has no data", ask: "shop.svc.cluster.local A", is: ["no-data cluster.local"] },
  {
    name: "a namespace that is not there does not exist",
    ask: "no.svc.cluster.local A",
    is: ["no-name cluster.local"],
  },
  { name: "svc has no data", ask: "svc.cluster.local A", is: ["no-data cluster.local"] },
  { name: "anything but svc and pod does not exist", ask: "x.cluster.local A", is: ["no-name cluster.local"] },
  { name: "the domain has no addresses", ask: "cluster.local A", is: ["no-data cluster.local"] },
  { name: "the other family has no data", ask: `${web} AAAA`, is: ["no-data cluster.local"] },
  { name: "MX has no data", ask: `${web} MX`, is: ["no-data cluster.local"] },
  { name: "ANY has no data", ask: `${web} ANY`, is: ["no-data cluster.local"] },
  { name: "ANY of no name", ask: "no.shop.svc.cluster.local ANY", is: ["no-name cluster.local"] },
  { name: "TXT of a service has no data", ask: `${web} TXT`, is: ["no-data cluster.local"] },
  { name: "TXT of the domain does not exist", ask: "cluster.local TXT", is: ["no-name cluster.local"] },
  {
    name: "CNAME of an ExternalName is not chased",
    ask: "outside.shop.svc.cluster.local CNAME",
    is: ["outside.shop.svc.cluster.local CNAME www.example.com"],
  },
  { name: "CNAME of a service has no data", ask: `${web} CNAME`, is: ["no-data cluster.local"] },
  {
    name: "SRV of an ExternalName has no data",
    ask: "outside.shop.svc.cluster.local SRV",
    is: ["no-data cluster.local"],
  },
  {
    name: "an ExternalName has no endpoints",
    ask: "a.outside.shop.svc.cluster.local A",
    is: ["no-name cluster.local"],
  },
  {
    name: "an ExternalName that is an address does not exist",
    ask: "numeric.shop.svc.cluster.local A",
    is: ["no-name cluster.local"],
  },
  {
    name: "an ExternalName that has no form in a message does not exist",
    ask: "unsendable.shop.svc.cluster.local A",
    is: ["no-name cluster.local"],
  },
  {
    name: "an ExternalName of nothing has no data",
    ask: "nowhere.shop.svc.cluster.local A",
    is: ["no-data cluster.local"],
  },
  { name: "ExternalNames in a ring have no data", ask: "ring.shop.svc.cluster.local A", is: ["no-data cluster.local"] },
  { name: "ports need no underscore", ask: `http.tcp.${web} A`, is: [`http.tcp.${web} A 10.96.0.7`] },
  { name: "a port that is not there does not exist", ask: `_ftp._tcp.${web} SRV`, is: ["no-name cluster.local"] },
  { name: "a protocol that is not there does not exist", ask: `_http._udp.${web} SRV`, is: ["no-name cluster.local"] },
  { name: "there are no wildcards", ask: "*.shop.svc.cluster.local A", is: ["no-name cluster.local"] },
  { name: "more labels than a port and a protocol", ask: `a.b.c.${web} A`, is: ["no-name cluster.local"] },
  { name: "an endpoint of a service with a cluster IP", ask: `10-1-0-7.${web} A`, is: [`10-1-0-7.${web} A 10.1.0.7`] },
  { name: "an endpoint that is not there", ask: `10-1-0-8.${web} A`, is: ["no-name cluster.local"] },
  {
    name: "SRV of a service without a port in front: all of them",
    ask: "dual.shop.svc.cluster.local SRV",
    is: [
      "dual.shop.svc.cluster.local SRV 0 25 80 dual.shop.svc.cluster.local",
      "dual.shop.svc.cluster.local SRV 0 25 53 dual.shop.svc.cluster.local",
      "+ dual.shop.svc.cluster.local A 10.96.0.8",
      "+ dual.shop.svc.cluster.local AAAA fd00:96::8",
    ],
  },
  {
    name: "endpoints without ports have addresses",
    ask: "bare.shop.svc.cluster.local A",
    is: ["bare.shop.svc.cluster.local A 10.1.0.9"],
  },
  {
    name: "endpoints without ports have no SRV records",
    ask: "bare.shop.svc.cluster.local SRV",
    is: ["no-data cluster.local"],
  },
  {
    name: "a pod by its address",
    ask: "10-9-8-7.shop.pod.cluster.local A",
    is: ["10-9-8-7.shop.pod.cluster.local A 10.9.8.7"],
  },
  {
    name: "a pod by its IPv6 address",
    ask: "fd00--7.shop.pod.cluster.local AAAA",
    is: ["fd00--7.shop.pod.cluster.local AAAA fd00::7"],
  },
  {
    name: "a pod by an IPv4 address within IPv6",
    ask: "--ffff-a01-1.shop.pod.cluster.local A",
    is: ["--ffff-a01-1.shop.pod.cluster.local A 10.1.0.1"],
  },
  { name: "a pod has no other family", ask: "10-9-8-7.shop.pod.cluster.local AAAA", is: ["no-data cluster.local"] },
  { name: "a pod that is no address", ask: "rex.shop.pod.cluster.local A", is: ["no-name cluster.local"] },
  { name: "a pod with a leading zero", ask: "10-9-8-07.shop.pod.cluster.local A", is: ["no-name cluster.local"] },
  { name: "a pod of no namespace", ask: "10-9-8-7.no.pod.cluster.local A", is: ["no-name cluster.local"] },
  { name: "pods of a namespace have no data", ask: "shop.pod.cluster.local A", is: ["no-data cluster.local"] },
  {
    name: "SOA of the domain",
    ask: "cluster.local SOA",
    is: [`cluster.local SOA ns.dns.cluster.local hostmaster.cluster.local ${serial} 7200 1800 86400 5`],
  },
  {
    name: "SOA of anything else has no data, whether or not it exists",
    ask: "no.shop.svc.cluster.local SOA",
    is: ["no-data cluster.local"],
  },
  { name: "NS of the domain without an address of its own", ask: "cluster.local NS", is: ["no-data cluster.local"] },
  { name: "zone transfers are refused", ask: "cluster.local AXFR", is: ["refused"] },
  { name: "a reverse name of nobody is asked elsewhere", ask: "1.2.0.192.in-addr.arpa PTR", is: ["elsewhere"] },
  {
    name: "a reverse name of an endpoint that is not ready is asked elsewhere",
    ask: "3.0.1.10.in-addr.arpa PTR",
    is: ["elsewhere"],
  },
  { name: "a reverse name that is no address is asked elsewhere", ask: "x.in-addr.arpa PTR", is: ["elsewhere"] },
  { name: "the reverse zone itself has no data", ask: "in-addr.arpa PTR", is: ["no-data in-addr.arpa"] },
  { name: "other types of a reverse name are asked elsewhere", ask: "7.0.96.10.in-addr.arpa A", is: ["elsewhere"] },
  { name: "PTR of a service has no data", ask: `${web} PTR`, is: ["no-data cluster.local"] },
  { name: "any other domain is asked elsewhere", ask: "example.com A", is: ["elsewhere"] },
  { name: "a domain that only ends like the cluster's is asked elsewhere", ask: "xcluster.local A", is: ["elsewhere"] },
  {
    name: "a dot within a label does not end it",
    ask: "web\\.shop.svc.cluster.local A",
    is: ["no-name cluster.local"],
  },
];

for (const [title, rows] of Object.entries({ specification, coreDns }))
  describe(`planAnswer: ${title}`, () => {
    for (const row of rows) it(row.name, () => expect(ask(row.ask)).toEqual(row.is));
  });

describe("planAnswer", () => {
  it("answers names that it does not know with SERVFAIL until the cluster was read", () => {
    const unread = shop();
    unread.isComplete = false;
    const plan = (name: string) => planAnswer({ name, type: 1, class: 1 }, unread, zones).kind;
    expect([plan("no.shop.svc.cluster.local"), plan(web)]).toEqual(["failure", "addresses"]);
  });

  it("names the server by its service, or by ns.dns where it has none", () => {
    expect(ask("cluster.local NS", { localAddresses: ["10.1.0.7"] })).toEqual([
      `cluster.local NS ${web}`,
      `+ ${web} A 10.96.0.7`,
    ]);
    expect(ask("cluster.local NS", { localAddresses: ["192.0.2.53"] })).toEqual([
      "cluster.local NS ns.dns.cluster.local",
      "+ ns.dns.cluster.local A 192.0.2.53",
    ]);
    expect(ask("ns.dns.cluster.local A", { localAddresses: ["192.0.2.53"] })).toEqual([
      "ns.dns.cluster.local A 192.0.2.53",
    ]);
    expect(ask("ns.dns.cluster.local A")).toEqual(["no-data cluster.local"]);
  });

  it("answers no pods where that is disabled", () => {
    expect(ask("10-9-8-7.shop.pod.cluster.local A", { pods: "disabled" })).toEqual(["no-name cluster.local"]);
  });

  it("follows no more than eleven aliases", () => {
    const long = shop();
    const alias = (at: number): string => `alias-${at}.shop.svc.cluster.local`;
    for (let at = 0; at < 20; at++)
      long.setService(
        readService(service(`alias-${at}`, { type: "ExternalName", externalName: at === 19 ? web : alias(at + 1) })),
      );
    const plan = (at: number) => planAnswer({ name: alias(at), type: 1, class: 1 }, long, zones).kind;
    expect([plan(9), plan(8)]).toEqual(["addresses", "no-data"]);
  });
});
