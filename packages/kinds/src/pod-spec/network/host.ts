import type { DeepReadonly } from "@coxswain/api";
import type { HostAlias, PodSpec } from "@coxswain/api/core/v1";
import { type FieldError, type FieldPath, forbidden, invalid, tooLong } from "@coxswain/apimachinery/field";
import { utf8Length, validateIpForLegacyField } from "@coxswain/apimachinery/validation";
import { checkDnsSubdomainAt } from "../../checks/field-errors.js";
import type { PodRules } from "../pod-rules.js";
import { containersOf } from "../visit-containers.js";

const longestHostname = 64;

export function checkHostAliases(
  aliases: readonly DeepReadonly<HostAlias>[],
  path: FieldPath,
  { strictAddresses: strict }: Pick<PodRules, "strictAddresses">,
): FieldError[] {
  return aliases.flatMap(({ ip, hostnames = [] }, i) => [
    ...validateIpForLegacyField(ip, path.index(i).child("ip"), { strict }),
    ...hostnames.flatMap((name, j) => checkDnsSubdomainAt(name, path.index(i).child("hostnames").index(j))),
  ]);
}

/** On the host's network a port is the host's. In a template the host port may be left out, to be set when pods are made. */
export function checkHostNetworkPorts(
  { hostNetwork, containers }: DeepReadonly<PodSpec>,
  path: FieldPath,
  { isPod }: Pick<PodRules, "isPod">,
): FieldError[] {
  if (!hostNetwork) return [];
  const errors: FieldError[] = [];
  for (const [c, { ports = [] }] of (containers ?? []).entries()) {
    for (const [p, { hostPort = 0, containerPort }] of ports.entries()) {
      if (hostPort === containerPort || (hostPort === 0 && !isPod)) continue;
      errors.push(
        invalid(
          path.index(c).child("ports").index(p).child("hostPort"),
          hostPort,
          "must match `containerPort` when `hostNetwork` is true",
        ),
      );
    }
  }
  return errors;
}

/** Users of its own, but a namespace of the host's: permissions would surprise. */
export function checkHostUsers(
  spec: DeepReadonly<PodSpec>,
  path: FieldPath,
  rules: Pick<PodRules, "hostNetworkWithUserNamespaces" | "volumeDevicesWithUserNamespaces">,
): FieldError[] {
  if (spec.hostUsers !== false) return [];
  const why = "when `hostUsers` is false";
  const errors: FieldError[] = [];
  if (spec.hostNetwork && !rules.hostNetworkWithUserNamespaces) errors.push(forbidden(path.child("hostNetwork"), why));
  // Upstream writes these two with a capital.
  if (spec.hostPID) errors.push(forbidden(path.child("HostPID"), why));
  if (spec.hostIPC) errors.push(forbidden(path.child("HostIPC"), why));
  if (rules.volumeDevicesWithUserNamespaces) return errors;
  for (const { container, path: at } of containersOf(spec, path))
    if (container.volumeDevices?.length) errors.push(forbidden(at.child("volumeDevices"), why));
  return errors;
}

export function checkHostname(
  { hostnameOverride, setHostnameAsFQDN, hostNetwork }: DeepReadonly<PodSpec>,
  path: FieldPath,
): FieldError[] {
  if (hostnameOverride === undefined) return [];
  const at = path.child("hostnameOverride");
  const errors: FieldError[] = [];
  if (setHostnameAsFQDN) errors.push(forbidden(at, "may not be specified when setHostnameAsFQDN is true"));
  if (hostNetwork) errors.push(forbidden(at, "may not be specified when hostNetwork is true"));
  if (utf8Length(hostnameOverride) > longestHostname) errors.push(tooLong(at, longestHostname));
  return [...errors, ...checkDnsSubdomainAt(hostnameOverride, at)];
}
