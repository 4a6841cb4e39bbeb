import type { DeepReadonly } from "@coxswain/api";
import { append } from "@coxswain/apimachinery/append";
import { duplicate, type FieldError, fieldPath, invalid, namedText, required } from "@coxswain/apimachinery/field";
import { parseIp, validateIpForLegacyField } from "@coxswain/apimachinery/validation";
import { checkOneOf } from "../../checks/field-errors.js";
import { repeatedPositions } from "../../checks/repeated-positions.js";
import { isHeadless } from "./exposure.js";
import type { StoredService } from "./stored.js";

type ReadService = DeepReadonly<StoredService>;

const specPath = fieldPath("spec");
const ipsPath = specPath.child("clusterIPs");
const familiesPath = specPath.child("ipFamilies");
const policyPath = specPath.child("ipFamilyPolicy");

/** Addresses and families agree with each other; whether they are free is checked by the server. */
export function checkClusterIps(service: ReadService, old: ReadService | undefined): FieldError[] {
  const { type, clusterIP = "", clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = service.spec;
  if (type === "ExternalName") return [];
  const errors: FieldError[] = [];
  if (clusterIP === "" && clusterIPs.length > 0)
    errors.push(invalid(ipsPath, clusterIPs, "must be empty when `clusterIP` is not specified"));
  if (clusterIP !== "" && clusterIPs.length === 0) errors.push(required(ipsPath));
  else if (clusterIP !== "" && clusterIPs[0] !== clusterIP)
    errors.push(invalid(ipsPath, clusterIPs, "first value must match `clusterIP`"));
  const repeated = repeatedPositions(ipFamilies);
  for (const [at, family] of ipFamilies.entries()) {
    append(errors, checkOneOf(family, ["IPv4", "IPv6"], familiesPath.index(at)));
    if (repeated.has(at)) errors.push(duplicate(familiesPath.index(at), namedText(family)));
  }
  if (ipFamilyPolicy !== undefined)
    append(errors, checkOneOf(ipFamilyPolicy, ["PreferDualStack", "RequireDualStack", "SingleStack"], policyPath));
  const inIps = checkAddresses(clusterIPs, old?.spec.clusterIPs ?? []);
  append(errors, inIps);
  if (clusterIPs.length > 2) errors.push(invalid(ipsPath, clusterIPs, "may only hold up to 2 values"));
  return inIps.length > 0 ? errors : [...errors, ...checkFamilies(service)];
}

function checkAddresses(ips: readonly string[], validOld: readonly string[]): FieldError[] {
  return ips.flatMap((ip, at) => {
    if (at > 0 || ip !== "None") return validateIpForLegacyField(ip, ipsPath.index(at), { validOld });
    return ips.length > 1 ? [invalid(ipsPath, ips, "'None' must be the first and only value")] : [];
  });
}

const isV6 = (ip: string): boolean => {
  const address = parseIp(ip);
  return address !== undefined && !address.isV4 && !address.isV4InV6;
};

function checkFamilies(service: ReadService): FieldError[] {
  const { clusterIPs = [], ipFamilies = [] } = service.spec;
  const errors: FieldError[] = [];
  if (clusterIPs.length > 1 && new Set(clusterIPs.map(isV6)).size < 2)
    errors.push(invalid(ipsPath, clusterIPs, "may specify no more than one IP for each IP family"));
  if (isHeadless(service)) return errors;
  for (const [at, ip] of clusterIPs.entries()) {
    const family = ipFamilies[at];
    if ((family === "IPv4" && isV6(ip)) || (family === "IPv6" && !isV6(ip))) {
      errors.push(invalid(ipsPath.index(at), ip, `expected an ${family} value as indicated by \`ipFamilies[${at}]\``));
    }
  }
  return errors;
}

const isExternalName = ({ spec }: ReadService): boolean => spec.type === "ExternalName";

/** The first address is for life; a second may come and go. */
export function checkClusterIpsUpdate(next: ReadService, old: ReadService): FieldError[] {
  if (isExternalName(next) || isExternalName(old) || (isHeadless(next) && isHeadless(old))) return [];
  const [ips, before] = [next.spec.clusterIPs ?? [], old.spec.clusterIPs ?? []];
  const changed = (at: number): FieldError => invalid(ipsPath.index(at), ips, "may not change once set");
  if (before.length === ips.length) return before.flatMap((ip, at) => (ip === ips[at] ? [] : [changed(at)]));
  const errors: FieldError[] = [];
  if (ips.length === 0) errors.push(invalid(ipsPath.index(0), ips, "primary clusterIP can not be unset"));
  if (before.length > 0 && ips.length > 0 && ips[0] !== before[0]) errors.push(changed(0));
  if (before.length > ips.length && ips.length === 1) append(errors, checkSingleStack(next, "clusterIP"));
  return errors;
}

export function checkFamiliesUpdate(next: ReadService, old: ReadService): FieldError[] {
  if (isExternalName(next) || isExternalName(old) || isHeadless(next) || isHeadless(old)) return [];
  const [families, before] = [next.spec.ipFamilies ?? [], old.spec.ipFamilies ?? []];
  const path = familiesPath.index(0);
  if (before.length === families.length)
    return before.flatMap((family, at) =>
      family === families[at] ? [] : [invalid(path, families, "may not change once set")],
    );
  const errors: FieldError[] = [];
  const ips = next.spec.clusterIPs ?? [];
  if (before.length > families.length && ips.length === 0)
    errors.push(invalid(path, families, "primary ipFamily can not be unset"));
  // Upstream shows the addresses here.
  if (before.length > 0 && families.length > 0 && families[0] !== before[0])
    errors.push(invalid(path, ips, "may not change once set"));
  if (before.length > families.length && families.length === 1) append(errors, checkSingleStack(next, "ipFamily"));
  return errors;
}

const checkSingleStack = ({ spec: { ipFamilyPolicy } }: ReadService, what: string): FieldError[] =>
  ipFamilyPolicy === "SingleStack"
    ? []
    : [
        invalid(
          policyPath,
          ipFamilyPolicy === undefined ? null : namedText(ipFamilyPolicy),
          `must be set to 'SingleStack' when releasing the secondary ${what}`,
        ),
      ];
