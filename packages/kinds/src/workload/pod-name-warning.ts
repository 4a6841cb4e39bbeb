import { checkDnsLabel } from "@coxswain/apimachinery/validation";

/** Pods are named after their workload, and their names become host names. */
export function podNameWarnings(name: string): string[] {
  const problems = checkDnsLabel(name);
  if (problems.length === 0) return [];
  return [
    `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${problems.join(" ")}]`,
  ];
}
