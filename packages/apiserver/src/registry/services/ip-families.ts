import type { ServiceSpec } from "@coxswain/api/core/v1";
import { type FieldError, fieldPath, invalid as invalidField } from "@coxswain/apimachinery/field";
import { invalid } from "@coxswain/apimachinery/status";
import { type StoredService as CheckedService, checkClusterIps } from "@coxswain/kinds/core/service";
import { parseAddress } from "./ip-range.js";
import { type IpFamily, isExternalName, isHeadless, isHeadlessWithoutSelector, type StoredService } from "./service.js";

const policyPath = fieldPath("spec", "ipFamilyPolicy");
const other = (family: IpFamily): IpFamily => (family === "IPv4" ? "IPv6" : "IPv4");
const sameList = (a: readonly string[] = [], b: readonly string[] = []): boolean =>
  a.length === b.length && a.every((item, i) => item === b[i]);

/**
 * Fills in policy and families from what the client sent, what was there before and which families the cluster has, the first
 * of them by default. Throws 422 for what cannot be.
 */
export function settleFamilies(
  service: StoredService,
  old: StoredService | undefined,
  configured: readonly IpFamily[],
): void {
  const { spec, metadata } = service;
  if (isExternalName(spec) || keepsPreference(spec, old?.spec)) return;
  const refuse = (errors: readonly FieldError[]): void => {
    if (errors.length > 0) throw invalid({ group: "", kind: "Service" }, metadata.name ?? "", errors);
  };
  spec.ipFamilyPolicy ??=
    old?.spec.ipFamilyPolicy ?? (isHeadlessWithoutSelector(spec) ? "RequireDualStack" : "SingleStack");
  refuse(checkClusterIps(service as CheckedService, old as CheckedService | undefined));
  refuse([...shrink(spec, old?.spec), ...checkPolicy(spec), ...inferFamilies(spec, configured)]);

  const [first] = configured as readonly [IpFamily, ...IpFamily[]];
  if (isHeadlessWithoutSelector(spec)) {
    // Its endpoints may be of families that the cluster's own services cannot have.
    addFamilies(spec, first, true);
    return;
  }
  refuse(checkConfigured(spec, configured));
  addFamilies(spec, first, configured.length === 2);
}

function addFamilies(spec: ServiceSpec, first: IpFamily, dual: boolean): void {
  const families = (spec.ipFamilies ??= []) as IpFamily[];
  if (families.length === 0) families.push(first);
  if (dual && families.length === 1 && spec.ipFamilyPolicy !== "SingleStack")
    families.push(other(families[0] as IpFamily));
}

/** Whether it was to be dual-stack where that is possible before and still is: then it stays as it is, whatever the cluster has become. */
export function keepsPreference(spec: ServiceSpec, old: ServiceSpec | undefined): boolean {
  if (!old || spec.ipFamilyPolicy === undefined || spec.type !== old.type || isExternalName(spec)) return false;
  if (spec.ipFamilyPolicy !== "PreferDualStack" || (old.ipFamilyPolicy ?? "PreferDualStack") !== "PreferDualStack")
    return false;
  return sameList(old.clusterIPs, spec.clusterIPs) && sameList(old.ipFamilies, spec.ipFamilies);
}

/** An update to a single family gives up the second one; under any other policy it must not be left out. */
function shrink(spec: ServiceSpec, old: ServiceSpec | undefined): FieldError[] {
  if (!old) return [];
  if (spec.ipFamilyPolicy === "SingleStack") {
    // The first address never changes.
    if (sameList(old.clusterIPs, spec.clusterIPs)) spec.clusterIPs?.splice(1);
    if (sameList(old.ipFamilies, spec.ipFamilies)) spec.ipFamilies?.splice(1);
    return [];
  }
  const reduced = (now: readonly string[] = [], before: readonly string[] = []): boolean =>
    now.length > 0 && now.length < before.length;
  const errors: FieldError[] = [];
  if (reduced(spec.clusterIPs, old.clusterIPs))
    errors.push(
      invalidField(policyPath, spec.ipFamilyPolicy, "must be 'SingleStack' to release the secondary cluster IP"),
    );
  if (reduced(spec.ipFamilies, old.ipFamilies))
    errors.push(
      invalidField(policyPath, spec.ipFamilyPolicy, "must be 'SingleStack' to release the secondary IP family"),
    );
  return errors;
}

function checkPolicy({ ipFamilyPolicy, clusterIPs, ipFamilies }: ServiceSpec): FieldError[] {
  if (ipFamilyPolicy !== "SingleStack") return [];
  const errors: FieldError[] = [];
  if (clusterIPs?.length === 2)
    errors.push(
      invalidField(
        policyPath,
        ipFamilyPolicy,
        "must be 'RequireDualStack' or 'PreferDualStack' when multiple cluster IPs are specified",
      ),
    );
  if (ipFamilies?.length === 2)
    errors.push(
      invalidField(
        policyPath,
        ipFamilyPolicy,
        "must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified",
      ),
    );
  return errors;
}

/** The family follows from the address. */
function inferFamilies(spec: ServiceSpec, configured: readonly IpFamily[]): FieldError[] {
  const errors: FieldError[] = [];
  const families = [...(spec.ipFamilies ?? [])];
  for (const [i, ip] of (spec.clusterIPs ?? []).entries()) {
    if (isHeadless(spec)) break;
    const family = parseAddress(ip)?.family;
    if (i < families.length || family === undefined) continue;
    if (configured.includes(family)) families.push(family);
    else
      errors.push(
        invalidField(
          fieldPath("spec", "clusterIPs").index(i),
          spec.clusterIPs,
          `${family} is not configured on this cluster`,
        ),
      );
  }
  if (families.length > 0) spec.ipFamilies = families;
  return errors;
}

function checkConfigured(
  { ipFamilyPolicy, ipFamilies = [] }: ServiceSpec,
  configured: readonly IpFamily[],
): FieldError[] {
  const errors: FieldError[] = [];
  if (ipFamilyPolicy === "RequireDualStack" && configured.length < 2)
    errors.push(invalidField(policyPath, ipFamilyPolicy, "this cluster is not configured for dual-stack services"));
  ipFamilies.forEach((family, i) => {
    if (!configured.includes(family as IpFamily))
      errors.push(invalidField(fieldPath("spec", "ipFamilies").index(i), family, "not configured on this cluster"));
  });
  return errors;
}
