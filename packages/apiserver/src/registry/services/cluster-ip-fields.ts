import type { ServiceSpec } from "@coxswain/api/core/v1";
import { duplicate, type FieldError, fieldPath, invalid, notSupported, required } from "@coxswain/apimachinery/field";
import { parseIp, validateIpForLegacyField } from "@coxswain/apimachinery/validation";
import { isHeadless } from "./service.js";

const families = ["IPv4", "IPv6"];
const policies = ["PreferDualStack", "RequireDualStack", "SingleStack"];

const isV6 = (ip: string): boolean => parseIp(ip)?.isV4 === false;

/** What must hold of the addresses of a service and their families before any are allocated. */
export function checkClusterIpFields(spec: ServiceSpec, old: ServiceSpec | undefined): FieldError[] {
  const { clusterIP = "", clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = spec;
  const ipsPath = fieldPath("spec", "clusterIPs");
  const familiesPath = fieldPath("spec", "ipFamilies");
  const errors: FieldError[] = [];
  if (clusterIP !== "" && clusterIPs.length === 0) errors.push(required(ipsPath));
  else if (clusterIP !== "" && clusterIPs[0] !== clusterIP) errors.push(invalid(ipsPath, clusterIPs, "first value must match `clusterIP`"));
  else if (clusterIP === "" && clusterIPs.length > 0) errors.push(invalid(ipsPath, clusterIPs, "must be empty when `clusterIP` is not specified"));
  ipFamilies.forEach((family, i) => {
    if (!families.includes(family)) errors.push(notSupported(familiesPath.index(i), family, families));
    if (ipFamilies.indexOf(family) < i) errors.push(duplicate(familiesPath.index(i), family));
  });
  if (ipFamilyPolicy !== undefined && !policies.includes(ipFamilyPolicy)) errors.push(notSupported(fieldPath("spec", "ipFamilyPolicy"), ipFamilyPolicy, policies));

  const wrong = wrongAddresses(clusterIPs, old?.clusterIPs ?? []);
  errors.push(...wrong);
  if (clusterIPs.length > 2) errors.push(invalid(ipsPath, clusterIPs, "may only hold up to 2 values"));
  // What follows would only repeat that an address is none.
  if (wrong.length > 0) return errors;
  if (clusterIPs.length > 1 && !isDualStack(clusterIPs)) {
    errors.push(invalid(ipsPath, clusterIPs, "may specify no more than one IP for each IP family"));
  }
  if (!isHeadless(spec)) {
    clusterIPs.slice(0, ipFamilies.length).forEach((ip, i) => {
      const family = ipFamilies[i];
      if (family === "IPv4" && isV6(ip)) errors.push(invalid(ipsPath.index(i), ip, `expected an IPv4 value as indicated by \`ipFamilies[${i}]\``));
      if (family === "IPv6" && !isV6(ip)) errors.push(invalid(ipsPath.index(i), ip, `expected an IPv6 value as indicated by \`ipFamilies[${i}]\``));
    });
  }
  return errors;
}

function wrongAddresses(ips: readonly string[], old: readonly string[]): FieldError[] {
  const path = fieldPath("spec", "clusterIPs");
  return ips.flatMap((ip, i) => {
    if (i === 0 && ip === "None") return ips.length > 1 ? [invalid(path, ips, "'None' must be the first and only value")] : [];
    return validateIpForLegacyField(ip, path.index(i), { validOld: [...old] });
  });
}

/** More than two may still hold both families, which is all that is asked here. */
const isDualStack = (ips: readonly string[]): boolean => ips.some(isV6) && !ips.every(isV6);
