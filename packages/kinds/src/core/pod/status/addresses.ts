import type { DeepReadonly } from "@coxswain/api";
import type { PodStatus } from "@coxswain/api/core/v1";
import { type FieldError, type FieldPath, fieldPath, internalError, invalid } from "@coxswain/apimachinery/field";
import { type IpAddress, parseIp, validateIpForLegacyField } from "@coxswain/apimachinery/validation";
import { internalList } from "../../../internal-form/internal-form.js";
import type { PodRules } from "../../../pod-spec/pod-rules.js";

type Status = DeepReadonly<PodStatus>;
type Strictness = Pick<PodRules, "strictAddresses">;

export function checkStatusAddresses(next: Status, old: Status, rules: Strictness): FieldError[] {
  const { podIPs = [], hostIPs = [], hostIP = "" } = next;
  const hostPath = fieldPath("status", "hostIPs");
  const [first] = hostIPs;
  const errors = checkAddresses(podIPs, old.podIPs, fieldPath("status", "podIPs"), { type: "PodIP", rules });
  if (first && first.ip !== hostIP)
    errors.push(invalid(hostPath.index(0).child("ip"), first.ip, "must be equal to `hostIP`"));
  return [...errors, ...checkAddresses(hostIPs, old.hostIPs, hostPath, { type: "HostIP", rules })];
}

type Addresses = readonly { readonly ip: string }[];

function checkAddresses(
  next: Addresses,
  old: Addresses = [],
  path: FieldPath,
  { type, rules }: { type: string; rules: Strictness },
): FieldError[] {
  const validOld = old.map(({ ip }) => ip);
  const errors = next.flatMap(({ ip }, i) =>
    validateIpForLegacyField(ip, path.index(i), { strict: rules.strictAddresses, validOld }),
  );
  if (next.length < 2) return errors;
  const bad = next.findIndex(({ ip }) => parseIp(ip) === undefined);
  if (bad >= 0)
    errors.push(internalError(path, `failed to check for dual stack with error:invalid IP[${bad}]: ${next[bad]?.ip}`));
  const families = new Set(next.map(({ ip }) => familyOf(parseIp(ip))));
  if (next.length > 2 || bad >= 0 || families.size < 2)
    errors.push(invalid(path, internalList(type, next), "may specify no more than one IP for each IP family"));
  return errors;
}

/** An IPv4 address in IPv6's notation counts as IPv4. */
const familyOf = (ip: IpAddress | undefined): string =>
  ip === undefined ? "" : ip.isV4 || ip.isV4InV6 ? "IPv4" : "IPv6";
