import {
  isInZone,
  type Question,
  type ResourceRecord,
  recordClasses,
  recordTypes,
  type TargetRecord,
} from "@coxswain/wire/dns";
import type { Records, ServiceRecord } from "../records/records.js";
import type { AnswerPlan } from "./answer-plan.js";
import { type ClusterZones, isReverse, zoneOf } from "./cluster-zones.js";
import { type AskedName, askedName, findHosts, type Host, isPlain, locate } from "./find-hosts.js";
import { planSrv } from "./plan-srv.js";
import { addressOfReverseName } from "./reverse-name.js";
import { nameServerRecords, nameServers, soaOf } from "./zone-records.js";

/** Kubernetes' DNS specification that the records follow, and the TTL of that record. */
const schemaVersion = "1.1.0";
const schemaVersionTtl = 28_800;

/** A longer chain of ExternalNames is not followed (`maxCnameChainLength` in `plugin/backend_lookup.go`). */
const maxAliases = 10;

interface Context {
  readonly asked: AskedName;
  readonly records: Records;
  readonly zones: ClusterZones;
}

/**
 * Pure: what a question is answered with, whatever its class, by the Kubernetes DNS specification 1.1.0, where that is silent as CoreDNS's
 * `kubernetes` plugin with kubeadm's configuration (`ServeDNS` in `plugin/kubernetes/handler.go`).
 */
export function planAnswer(question: Question, records: Records, zones: ClusterZones): AnswerPlan {
  const zone = zoneOf(question.name.toLowerCase(), zones);
  if (zone === undefined) return { kind: "elsewhere" };
  const context = { asked: askedName(question.name, zone), records, zones };
  switch (question.type) {
    case recordTypes.A:
      return planAddresses("A", context);
    case recordTypes.AAAA:
      return planAddresses("AAAA", context);
    case recordTypes.SRV:
      return planHosts(context, (hosts) => planSrv(question.name, hosts, zones.ttl));
    case recordTypes.CNAME:
      return planHosts(context, (hosts) => ({ answers: aliasesOf(hosts, context), additionals: [] }));
    case recordTypes.TXT:
      return planText(context);
    case recordTypes.PTR:
      return planPointer(context);
    case recordTypes.SOA:
      return isApex(context) ? someRecords([soaOf(question.name, records, zones)]) : noData(context);
    case recordTypes.NS:
      return isApex(context) ? planNameServers(context) : planHosts(context, () => none);
    case recordTypes.AXFR:
    case recordTypes.IXFR:
      return { kind: "refused" };
  }
  return planHosts(context, () => none);
}

interface Sections {
  readonly answers: readonly ResourceRecord[];
  readonly additionals: readonly ResourceRecord[];
}

const none: Sections = { answers: [], additionals: [] };
const someRecords = (answers: readonly ResourceRecord[]): AnswerPlan => ({ kind: "records", answers, additionals: [] });

const isApex = ({ asked }: Context): boolean => asked.name === asked.zone;

const noData = ({ asked, records, zones }: Context): AnswerPlan => ({
  kind: "no-data",
  soa: soaOf(asked.writtenZone, records, zones),
});

function noName({ asked, records, zones }: Context): AnswerPlan {
  if (isReverse(asked.zone)) return { kind: "elsewhere" };
  return { kind: records.isComplete ? "no-name" : "failure", soa: soaOf(asked.writtenZone, records, zones) };
}

const recordsOrNoData = ({ answers, additionals }: Sections, context: Context): AnswerPlan =>
  answers.length > 0 ? { kind: "records", answers, additionals } : noData(context);

function planHosts(context: Context, make: (hosts: readonly Host[]) => Sections): AnswerPlan {
  const hosts = isNameServer(context.asked) ? [] : findHosts(context.asked, context.records, context.zones);
  return hosts ? recordsOrNoData(make(hosts), context) : noName(context);
}

/** `ns.dns.cluster.local`, which NS and SOA records name. */
const isNameServer = ({ name, zone }: AskedName): boolean => name === `ns.dns.${zone}`;

const aliasRecord = (name: string, target: string, { zones }: Context): TargetRecord => ({
  type: "CNAME",
  name,
  class: recordClasses.IN,
  ttl: zones.ttl,
  target,
});

const aliasesOf = ([host]: readonly Host[], context: Context): TargetRecord[] =>
  host?.kind === "name" ? [aliasRecord(context.asked.written, host.name, context)] : [];

function planAddresses(type: "A" | "AAAA", context: Context): AnswerPlan {
  const { zones } = context;
  const aliases: TargetRecord[] = [];
  let { asked } = context;
  for (;;) {
    const found = findAddresses(asked, type, context);
    if (found === undefined) return aliases.length === 0 ? noName(context) : noData(context);
    if (found.alias === undefined) {
      const { addresses } = found;
      if (addresses.length === 0) return noData(context);
      return { kind: "addresses", aliases, name: asked.written, type, addresses };
    }
    const target = found.alias;
    // A name that is an alias of a name below itself would never end.
    const isLoop = isInZone(target.toLowerCase(), asked.name) || aliases.some((alias) => alias.target === target);
    if (isLoop || aliases.length > maxAliases) return noData(context);
    aliases.push(aliasRecord(asked.written, target, context));
    if (zoneOf(target.toLowerCase(), zones) !== context.asked.zone) return { kind: "alias", aliases, target };
    asked = askedName(target, context.asked.zone);
  }
}

type FoundAddresses = { alias: string; addresses?: undefined } | { alias?: undefined; addresses: readonly string[] };

function findAddresses(asked: AskedName, type: "A" | "AAAA", context: Context): FoundAddresses | undefined {
  const { records, zones } = context;
  if (isNameServer(asked)) return { addresses: addressesOf(nameServers(asked.writtenZone, records, zones), type) };
  const located = locate(asked, records, zones);
  if (located?.kind === "service" && isPlain(located.parts)) {
    const { service } = located;
    if (service.kind === "cluster-ip") return { addresses: addressesOf(service.clusterIps, type) };
    // The list is kept by the index: a service may have thousands of endpoints.
    if (service.kind === "headless") return addressesOfHeadless(service, type, records);
  }
  const hosts = located && findHosts(asked, records, zones);
  if (!hosts) return undefined;
  const [first] = hosts;
  if (first?.kind === "name") return { alias: first.name };
  return { addresses: addressesOf(hosts as readonly (Host & { kind: "address" })[], type) };
}

function addressesOfHeadless({ namespace, name }: ServiceRecord, type: "A" | "AAAA", records: Records) {
  const addresses = records.addresses(namespace, name, type);
  const other = type === "A" ? "AAAA" : "A";
  return addresses.length > 0 || records.addresses(namespace, name, other).length > 0 ? { addresses } : undefined;
}

const addressesOf = (all: readonly { type: string; address: string }[], type: string): string[] => [
  ...new Set(all.filter((one) => one.type === type).map(({ address }) => address)),
];

/** Only the version has a text. A name with other records has no text; any other one does not exist, even the domain, as there. */
function planText(context: Context): AnswerPlan {
  const { asked, records, zones } = context;
  if (asked.name === `dns-version.${asked.zone}`)
    return someRecords([
      { type: "TXT", name: asked.written, class: recordClasses.IN, ttl: schemaVersionTtl, texts: [schemaVersion] },
    ]);
  return findHosts(asked, records, zones)?.length ? noData(context) : noName(context);
}

/** The service with the cluster IP; otherwise every endpoint with the address (`plugin/kubernetes/reverse.go`). */
function planPointer(context: Context): AnswerPlan {
  const { asked, records, zones } = context;
  const address = addressOfReverseName(asked.name);
  if (address === undefined) return findHosts(asked, records, zones) ? noData(context) : noName(context);
  const service = records.serviceByClusterIp(address);
  const targets = service
    ? [`${service.name}.${service.namespace}.svc.${zones.domain}`]
    : [...records.slicesByAddress(address)].flatMap((slice) =>
        slice.endpoints
          .filter((endpoint) => endpoint.address === address)
          .map(({ hostname }) => `${hostname}.${slice.service}.${slice.namespace}.svc.${zones.domain}`),
      );
  if (targets.length === 0) return noName(context);
  const head = { name: asked.written, class: recordClasses.IN, ttl: zones.ttl };
  return someRecords([...new Set(targets)].map((target) => ({ ...head, type: "PTR", target })));
}

function planNameServers(context: Context): AnswerPlan {
  const { asked, records, zones } = context;
  const servers = nameServers(asked.writtenZone, records, zones);
  return recordsOrNoData(nameServerRecords(asked.written, servers, zones.ttl), context);
}
