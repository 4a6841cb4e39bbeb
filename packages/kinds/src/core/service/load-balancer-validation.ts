import type { DeepReadonly } from "@coxswain/api";
import type { LoadBalancerIngress } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, fieldPath, forbidden, invalid, required } from "@coxswain/apimachinery/field";
import { getOwn } from "@coxswain/apimachinery/own";
import {
  checkDnsSubdomain,
  parseIp,
  validateCidrForLegacyField,
  validateIpForLegacyField,
} from "@coxswain/apimachinery/validation";
import { checkOneOf, checkQualifiedNameAt } from "../../checks/field-errors.js";
import { sourceRanges } from "./annotations.js";
import type { StoredService } from "./stored.js";

type ReadService = DeepReadonly<StoredService>;

const specPath = fieldPath("spec");
const onlyThere = "may only be used when `type` is 'LoadBalancer'";

const isBalanced = ({ spec }: ReadService): boolean => spec.type === "LoadBalancer";

export function checkLoadBalancer(service: ReadService, old: ReadService | undefined): FieldError[] {
  const { allocateLoadBalancerNodePorts: allocate } = service.spec;
  const errors = checkSourceRanges(service, old);
  if (allocate !== undefined && !isBalanced(service))
    errors.push(forbidden(specPath.child("allocateLoadBalancerNodePorts"), onlyThere));
  if (allocate === undefined && isBalanced(service)) errors.push(required(fieldPath("allocateLoadBalancerNodePorts")));
  return [...errors, ...checkLoadBalancerClass(service, undefined)];
}

function checkSourceRanges(service: ReadService, old: ReadService | undefined): FieldError[] {
  const { loadBalancerSourceRanges: ranges = [] } = service.spec;
  if (ranges.length === 0) return checkAnnotatedRanges(service, old);
  const path = specPath.child("LoadBalancerSourceRanges");
  const validOld = (old?.spec.loadBalancerSourceRanges ?? []).map((range) => range.trim());
  return [
    ...(isBalanced(service) ? [] : [forbidden(path, onlyThere)]),
    ...ranges.flatMap((range, at) => validateCidrForLegacyField(range.trim(), path.index(at), { validOld })),
  ];
}

function checkAnnotatedRanges(service: ReadService, old: ReadService | undefined): FieldError[] {
  const text = getOwn(service.metadata.annotations, sourceRanges);
  if (text === undefined) return [];
  const path = fieldPath("metadata", "annotations").key(sourceRanges);
  const errors = isBalanced(service) ? [] : [forbidden(path, onlyThere)];
  if (text.trim() === "" || text === getOwn(old?.metadata.annotations, sourceRanges)) return errors;
  return [
    ...errors,
    ...text
      .trim()
      .split(",")
      .flatMap((range) => validateCidrForLegacyField(range.trim(), path)),
  ];
}

/** Who makes the load balancer is chosen once. */
export function checkLoadBalancerClass(service: ReadService, old: ReadService | undefined): FieldError[] {
  const path = specPath.child("loadBalancerClass");
  const { loadBalancerClass: name } = service.spec;
  const errors: FieldError[] = [];
  if (old && isBalanced(old) && isBalanced(service) && old.spec.loadBalancerClass !== name)
    errors.push(invalid(path, name ?? null, "may not change once set"));
  if (name === undefined) return errors;
  return [...errors, ...(isBalanced(service) ? checkQualifiedNameAt(name, path) : [forbidden(path, onlyThere)])];
}

export function checkLoadBalancerStatus(service: ReadService, old: ReadService): FieldError[] {
  const ingress = service.status.loadBalancer?.ingress ?? [];
  const path = fieldPath("status", "loadBalancer", "ingress");
  if (!isBalanced(service))
    return ingress.length > 0 ? [forbidden(path, "may only be used when `spec.type` is 'LoadBalancer'")] : [];
  const validOld = (old.status.loadBalancer?.ingress ?? []).flatMap(({ ip }) => (ip ? [ip] : []));
  return ingress.flatMap((one, at) => checkIngress(one, path.index(at), validOld));
}

function checkIngress(
  { ip = "", ipMode, hostname = "" }: DeepReadonly<LoadBalancerIngress>,
  path: FieldPath,
  validOld: readonly string[],
): FieldError[] {
  const errors = ip === "" ? [] : validateIpForLegacyField(ip, path.child("ip"), { validOld });
  if (ipMode === undefined) {
    if (ip !== "") errors.push(required(path.child("ipMode"), "must be specified when `ip` is set"));
  } else if (ip === "") errors.push(forbidden(path.child("ipMode"), "may not be specified when `ip` is not set"));
  else append(errors, checkOneOf(ipMode, ["Proxy", "VIP"], path.child("ipMode")));
  if (hostname === "") return errors;
  append(
    errors,
    checkDnsSubdomain(hostname).map((problem) => invalid(path.child("hostname"), hostname, problem)),
  );
  if (parseIp(hostname))
    errors.push(invalid(path.child("hostname"), hostname, "must be a DNS name, not an IP address"));
  return errors;
}
