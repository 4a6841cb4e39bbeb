import type { DeepReadonly } from "@coxswain/api";
import type { Endpoint, EndpointHints, EndpointPort } from "@coxswain/api/discovery/v1";
import { append } from "@coxswain/apimachinery/append";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  fieldPath,
  internalError,
  invalid,
  namedText,
  required,
  tooMany,
} from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import { getOwn, ownKeys } from "@coxswain/apimachinery/own";
import {
  checkLabelValue,
  nameIsDnsSubdomain,
  type Problems,
  parseIp,
  validateFullyQualifiedDomainName,
  validateIp,
  validateIpForLegacyField,
  validateLabels,
} from "@coxswain/apimachinery/validation";
import { checkEndpointIp } from "../../checks/endpoint-ip.js";
import {
  checkDnsLabelAt,
  checkOneOf,
  checkQualifiedNameAt,
  checkRequiredOneOf,
  problemsAt,
} from "../../checks/field-errors.js";
import { checkImmutable } from "../../checks/immutable.js";
import { checkObjectMeta } from "../../checks/object-meta.js";
import type { StoredEndpointSlice } from "./stored.js";

type ReadSlice = DeepReadonly<StoredEndpointSlice>;

const zoneLabel = "topology.kubernetes.io/zone";
const most = { endpoints: 1000, addresses: 100, ports: 20_000, topologyLabels: 16, hints: 8 };

/** Endpoints that were stored before a rule was made stay as they are until they are changed. */
export function checkEndpointSlice(slice: ReadSlice, old: ReadSlice | undefined): FieldError[] {
  const { metadata, addressType, ports, endpoints } = slice;
  const errors = [
    ...checkObjectMeta(metadata, { namespaced: true }),
    ...checkRequiredOneOf(addressType, ["FQDN", "IPv4", "IPv6"], fieldPath("addressType")),
    ...checkPorts(ports ?? [], fieldPath("ports")),
  ];
  const inEndpoints = checkEndpoints(endpoints ?? [], addressType, fieldPath("endpoints"));
  return inEndpoints.length > 0 && old && equalJson(endpoints, old.endpoints) ? errors : [...errors, ...inEndpoints];
}

export const checkEndpointSliceUpdate = (next: ReadSlice, old: ReadSlice): FieldError[] => [
  ...checkEndpointSlice(next, old),
  ...checkImmutable(next.addressType, old.addressType, fieldPath("addressType"), namedText(next.addressType)),
];

function checkPorts(ports: readonly DeepReadonly<EndpointPort>[], path: FieldPath): FieldError[] {
  if (ports.length > most.ports) return [tooMany(path, ports.length, most.ports)];
  const names = new Set<string>();
  return ports.flatMap(({ name = "", protocol, appProtocol }, at) => {
    const here = path.index(at);
    const errors = name === "" ? [] : [...checkDnsLabelAt(name, here.child("name"))];
    if (names.has(name)) errors.push(duplicate(here.child("name"), name));
    names.add(name);
    append(
      errors,
      protocol === undefined
        ? [required(here.child("protocol"))]
        : checkOneOf(protocol, ["SCTP", "TCP", "UDP"], here.child("protocol")),
    );
    if (appProtocol !== undefined) append(errors, checkQualifiedNameAt(appProtocol, here.child("appProtocol")));
    return errors;
  });
}

function checkEndpoints(endpoints: readonly DeepReadonly<Endpoint>[], type: string, path: FieldPath): FieldError[] {
  if (endpoints.length > most.endpoints) return [tooMany(path, endpoints.length, most.endpoints)];
  return endpoints.flatMap((endpoint, at) => checkEndpoint(endpoint, type, path.index(at)));
}

function checkEndpoint(
  { addresses, nodeName, deprecatedTopology, hostname, hints }: DeepReadonly<Endpoint>,
  type: string,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const at = path.child("addresses");
  const count = (addresses ?? []).length;
  if (count === 0) errors.push(required(at, "must contain at least 1 address"));
  else if (count > most.addresses) errors.push(tooMany(at, count, most.addresses));
  for (const [i, address] of (addresses ?? []).entries()) append(errors, checkAddress(address, type, at, i));
  if (nodeName !== undefined)
    append(errors, problemsAt(path.child("nodeName"), nodeName, nameIsDnsSubdomain(nodeName)));
  const labels = ownKeys(deprecatedTopology).length;
  if (labels > most.topologyLabels) errors.push(tooMany(path.child("deprecatedTopology"), labels, most.topologyLabels));
  append(errors, validateLabels(deprecatedTopology, path.child("deprecatedTopology")));
  if (getOwn(deprecatedTopology, zoneLabel) !== undefined)
    errors.push(
      internalError(path.child("deprecatedTopology").key(zoneLabel), "reserved key was not removed in conversion"),
    );
  if (hostname !== undefined) append(errors, checkDnsLabelAt(hostname, path.child("hostname")));
  return hints ? [...errors, ...checkHints(hints, path.child("hints"))] : errors;
}

function checkAddress(address: string, type: string, list: FieldPath, at: number): FieldError[] {
  const path = list.index(at);
  if (type === "FQDN") return validateFullyQualifiedDomainName(address, path);
  if (type !== "IPv4" && type !== "IPv6") return [];
  const errors = type === "IPv4" ? validateIpForLegacyField(address, path) : validateIp(address, path);
  if (errors.length > 0) return errors;
  const ip = parseIp(address);
  const isV4 = ip !== undefined && (ip.isV4 || ip.isV4InV6);
  const isOther = (type === "IPv4") !== isV4;
  // Upstream names the list, not the item.
  return [
    ...(isOther ? [invalid(list, address, `must be an ${type} address`)] : []),
    ...checkEndpointIp(address, path),
  ];
}

function checkHints({ forZones = [], forNodes = [] }: DeepReadonly<EndpointHints>, path: FieldPath): FieldError[] {
  const inZones = checkNames(forZones, path.child("forZones"), checkLabelValue);
  if (forZones.length > most.hints) return inZones;
  return [...inZones, ...checkNames(forNodes, path.child("forNodes"), nameIsDnsSubdomain)];
}

function checkNames(
  hints: readonly { readonly name: string }[],
  path: FieldPath,
  check: (name: string) => Problems,
): FieldError[] {
  if (hints.length > most.hints) return [tooMany(path, hints.length, most.hints)];
  const seen = new Set<string>();
  return hints.flatMap(({ name }, at) => {
    const here = path.index(at).child("name");
    const repeated = seen.has(name) ? [duplicate(here, name)] : [];
    seen.add(name);
    return [...repeated, ...problemsAt(here, name, check(name))];
  });
}
