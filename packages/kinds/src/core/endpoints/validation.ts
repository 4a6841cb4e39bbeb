import type { DeepReadonly } from "@coxswain/api";
import type { EndpointAddress, EndpointPort } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, fieldPath, invalid, required } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import { checkPortNumber, nameIsDnsSubdomain, validateIpForLegacyField } from "@coxswain/apimachinery/validation";
import { checkEndpointIp } from "../../checks/endpoint-ip.js";
import { checkDnsLabelAt, checkOneOf, checkQualifiedNameAt, problemsAt } from "../../checks/field-errors.js";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import type { StoredEndpoints } from "./stored.js";

/** Subsets that were stored before a rule was made stay as they are until they are changed. */
export function checkEndpoints(
  endpoints: DeepReadonly<StoredEndpoints>,
  old: DeepReadonly<StoredEndpoints> | undefined,
): FieldError[] {
  const errors = checkObjectMeta(endpoints.metadata, { namespaced: true });
  const inSubsets = checkSubsets(endpoints.subsets ?? []);
  return inSubsets.length > 0 && old && equalJson(endpoints.subsets, old.subsets) ? errors : [...errors, ...inSubsets];
}

export const checkEndpointsUpdate = (
  next: DeepReadonly<StoredEndpoints>,
  old: DeepReadonly<StoredEndpoints>,
): FieldError[] => [...checkObjectMetaUpdate(next.metadata, old.metadata), ...checkEndpoints(next, old)];

function checkSubsets(subsets: NonNullable<DeepReadonly<StoredEndpoints>["subsets"]>): FieldError[] {
  return subsets.flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }, at) => {
    const path = fieldPath("subsets").index(at);
    const errors =
      addresses.length === 0 && notReadyAddresses.length === 0
        ? [required(path, "must specify `addresses` or `notReadyAddresses`")]
        : [];
    append(
      errors,
      addresses.flatMap((address, i) => checkAddress(address, path.child("addresses").index(i))),
    );
    append(
      errors,
      notReadyAddresses.flatMap((address, i) => checkAddress(address, path.child("notReadyAddresses").index(i))),
    );
    append(
      errors,
      ports.flatMap((port, i) => checkPort(port, ports.length > 1, path.child("ports").index(i))),
    );
    return errors;
  });
}

function checkAddress({ ip, hostname = "", nodeName }: DeepReadonly<EndpointAddress>, path: FieldPath): FieldError[] {
  return [
    ...validateIpForLegacyField(ip, path.child("ip")),
    ...(hostname === "" ? [] : checkDnsLabelAt(hostname, path.child("hostname"))),
    ...(nodeName === undefined ? [] : problemsAt(path.child("nodeName"), nodeName, nameIsDnsSubdomain(nodeName))),
    ...checkEndpointIp(ip, path.child("ip")),
  ];
}

function checkPort(
  { name = "", port, protocol = "TCP", appProtocol }: DeepReadonly<EndpointPort>,
  mustHaveName: boolean,
  path: FieldPath,
): FieldError[] {
  const named =
    name === "" ? (mustHaveName ? [required(path.child("name"))] : []) : checkDnsLabelAt(name, path.child("name"));
  return [
    ...named,
    ...checkPortNumber(port).map((problem) => invalid(path.child("port"), port, problem)),
    ...checkOneOf(protocol, ["SCTP", "TCP", "UDP"], path.child("protocol")),
    ...(appProtocol === undefined ? [] : checkQualifiedNameAt(appProtocol, path.child("appProtocol"))),
  ];
}
