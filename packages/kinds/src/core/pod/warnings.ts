import type { DeepReadonly } from "@coxswain/api";
import { fieldPath } from "@coxswain/apimachinery/field";
import { checkDnsLabel, ipWarnings } from "@coxswain/apimachinery/validation";
import { specWarnings } from "../../pod-spec/warnings/warnings.js";
import type { StoredPod } from "./stored.js";

export function podWarnings({ metadata, spec }: DeepReadonly<StoredPod>): string[] {
  const problems = checkDnsLabel(metadata.name ?? "");
  // The list stands in brackets, as Go prints one.
  const ofName =
    problems.length === 0
      ? []
      : [
          `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [${problems.join(" ")}]`,
        ];
  return [...ofName, ...specWarnings(spec, metadata.annotations, undefined)];
}

export const podStatusWarnings = ({ status: { podIPs = [], hostIPs = [] } }: DeepReadonly<StoredPod>): string[] => [
  ...podIPs.flatMap(({ ip }, i) => ipWarnings(ip, fieldPath("status", "podIPs").index(i).child("ip"))),
  ...hostIPs.flatMap(({ ip }, i) => ipWarnings(ip, fieldPath("status", "hostIPs").index(i).child("ip"))),
];
