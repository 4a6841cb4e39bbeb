import type { DeepReadonly } from "@coxswain/api";
import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import { none } from "../../printing/labels.js";
import { loadBalancerText } from "../../printing/load-balancer.js";
import type { StoredIngress } from "./stored.js";

export const ingressColumns: ColumnSet<StoredIngress> = {
  columns: [
    nameColumn,
    column("Class", "string", "Who serves it."),
    column("Hosts", "string", "The hosts it has rules for, the first few."),
    column("Address", "string", "Where it is served."),
    column("Ports", "string", "On which ports."),
    ageColumn,
  ],
  cells: ({ metadata, spec, status }, now) => [
    metadata.name ?? "",
    spec.ingressClassName ?? none,
    hosts(spec.rules ?? []),
    loadBalancerText(status.loadBalancer),
    (spec.tls ?? []).length > 0 ? "80, 443" : "80",
    age(metadata.creationTimestamp, now),
  ],
};

const shown = 3;

/** Rules without a host are not shown, and yet counted among those that are more. */
function hosts(rules: NonNullable<DeepReadonly<StoredIngress>["spec"]["rules"]>): string {
  const list: string[] = [];
  let more = false;
  for (const { host } of rules) {
    if (list.length === shown) more = true;
    if (!more && host) list.push(host);
  }
  if (list.length === 0) return "*";
  return more ? `${list.join(",")} + ${rules.length - shown} more...` : list.join(",");
}
