import type { Message } from "./message.js";
import type { ResourceRecord } from "./resource-record.js";

/** A query for the A records of `name`, with whatever a test changes. */
export const message = (changes: Partial<Message> = {}): Message => ({
  id: 0x1234,
  isResponse: false,
  opcode: 0,
  authoritative: false,
  truncated: false,
  recursionDesired: true,
  recursionAvailable: false,
  authenticData: false,
  checkingDisabled: false,
  responseCode: 0,
  questions: [{ name: "web.default.svc.cluster.local", type: 1, class: 1 }],
  answers: [],
  authorities: [],
  additionals: [],
  edns: undefined,
  ...changes,
});

const head = { name: "web.default.svc.cluster.local", class: 1, ttl: 5 };

/** One of each type that the codec knows. */
export const everyRecord: readonly ResourceRecord[] = [
  { ...head, type: "A", address: "10.96.0.1" },
  { ...head, type: "AAAA", address: "fd00::1" },
  { ...head, type: "CNAME", target: "www.example.com" },
  { ...head, type: "NS", target: "ns.dns.cluster.local" },
  { ...head, name: "1.0.96.10.in-addr.arpa", type: "PTR", target: "web.default.svc.cluster.local" },
  {
    ...head,
    name: "_http._tcp.web.default.svc.cluster.local",
    type: "SRV",
    priority: 0,
    weight: 100,
    port: 80,
    target: "web.default.svc.cluster.local",
  },
  { ...head, type: "MX", preference: 10, target: "mail.example.com" },
  { ...head, name: "dns-version.cluster.local", type: "TXT", texts: ["1.1.0", ""] },
  {
    ...head,
    name: "cluster.local",
    type: "SOA",
    nameServer: "ns.dns.cluster.local",
    mailbox: "hostmaster.cluster.local",
    serial: 0xffff_ffff,
    refresh: 7200,
    retry: 1800,
    expire: 86400,
    minimum: 5,
  },
  { ...head, type: "other", code: 65, data: Uint8Array.of(0, 1, 0) },
];
