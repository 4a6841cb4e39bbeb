import type { Records } from "@coxswain/dns";

/**
 * Pure: whether a name that has no records is one of the cluster's all the same: `mydb`, `mydb.shop` in a cluster with a namespace `shop`,
 * `mydb.shop.svc`. Others belong to somebody outside, who is not asked.
 */
export function isClusterName(name: string, domain: string, records: Pick<Records, "hasNamespace">): boolean {
  const labels = name.toLowerCase().replace(/\.$/, "").split(".");
  const last = labels.at(-1) ?? "";
  if (labels.length === 1 || last === "svc" || labels.join(".").endsWith(`.${domain}`)) return true;
  return last === "arpa" || (labels.length === 2 && records.hasNamespace(last));
}
