import type { RandomSource } from "@coxswain/runtime/random";
import type { ResourceRecord } from "@coxswain/wire/dns";

/** At most `most` of `all`, each as likely as any other at each place. */
export function someInRandomOrder<T>(all: readonly T[], most: number, random: RandomSource): readonly T[] {
  if (all.length <= 1) return all;
  const mixed = [...all];
  const count = Math.min(most, all.length);
  for (let at = 0; at < count; at++) {
    const other = at + Math.floor(random.next() * (all.length - at));
    const value = mixed[other]!;
    mixed[other] = mixed[at]!;
    mixed[at] = value;
  }
  return count === all.length ? mixed : mixed.slice(0, count);
}

/** Aliases first, addresses last and in random order (`roundRobin` in `plugin/loadbalance/loadbalance.go` of CoreDNS). */
export function orderRecords(records: readonly ResourceRecord[], random: RandomSource): readonly ResourceRecord[] {
  if (records.length <= 1) return records;
  const isAddress = ({ type }: ResourceRecord): boolean => type === "A" || type === "AAAA";
  const aliases = records.filter(({ type }) => type === "CNAME");
  const rest = records.filter((record) => record.type !== "CNAME" && !isAddress(record));
  const addresses = records.filter(isAddress);
  return [...aliases, ...rest, ...someInRandomOrder(addresses, addresses.length, random)];
}
