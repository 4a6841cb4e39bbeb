import type { Message, ResourceRecord } from "@coxswain/wire/dns";

/**
 * An answer without what may differ: the order of records, the SOA's serial, TTLs of records that come from elsewhere and age in a cache,
 * and which records were left out of a truncated one.
 */
export function comparable(message: Message): unknown {
  const { answers, authorities, additionals, edns, id: _, ...head } = message;
  if (message.truncated) return { ...head, count: answers.length, hasEdns: edns !== undefined };
  return {
    ...head,
    answers: sorted(answers),
    authorities: sorted(authorities),
    additionals: sorted(additionals),
    edns: edns && { udpSize: edns.udpSize, dnssecOk: edns.dnssecOk, version: edns.version },
  };
}

const sorted = (records: readonly ResourceRecord[]): string[] => records.map(lineOf).sort();

function lineOf(record: ResourceRecord): string {
  const isOwn = /(cluster\.local|arpa)$/i.test(record.name);
  const { ttl, ...rest } = record;
  const stable = rest.type === "SOA" ? { ...rest, serial: 0 } : rest;
  return `${isOwn ? ttl : "-"} ${JSON.stringify(stable)}`;
}
