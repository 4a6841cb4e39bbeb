import type { RandomSource } from "@coxswain/runtime/random";
import { type Message, recordTypes } from "@coxswain/wire/dns";
import { type GeneratedCluster, portNames } from "./generate-cluster.js";

export interface GeneratedQuestion {
  readonly message: Message;
  readonly transport: "udp" | "tcp";
}

const types = [1, 1, 1, 28, 28, 33, 33, 12, 16, 5, 6, 15, 2, 255, 64, 65, 43, 13, 252, 35, 257];

/** Questions that may be asked of a cluster: most of them about something that is there, or nearly. */
export function generateQuestions(
  random: RandomSource,
  cluster: GeneratedCluster & { readonly clusterIps: readonly string[] },
  count: number,
): GeneratedQuestion[] {
  const int = (most: number): number => Math.floor(random.next() * most);
  const chance = (percent: number): boolean => random.next() * 100 < percent;
  const one = <T>(all: readonly T[]): T => all[int(all.length)]!;
  const service = (): string => {
    const { name, namespace } = one(cluster.services);
    return `${chance(90) ? name : "no"}.${chance(90) ? namespace : one([...cluster.namespaces, "no"])}`;
  };
  const port = (): string => `${chance(90) ? "_" : ""}${one([...portNames, "no", ""])}`;
  const forms: readonly (() => string)[] = [
    () => `${service()}.svc.cluster.local`,
    () => `${service()}.svc.cluster.local`,
    () => `${port() || "_"}.${one(["_tcp", "_udp", "_sctp", "tcp", "_no"])}.${service()}.svc.cluster.local`,
    () => `${one(cluster.hostnames)}.${service()}.svc.cluster.local`,
    () =>
      `${one([...cluster.hostnames, "1-2-3-4", "fd00--1", "--ffff-a01-1", "x", "01-2-3-4"])}.${one([...cluster.namespaces, "no"])}.pod.cluster.local`,
    () => `${one(["x", "_http._tcp"])}.10-1-2-3.${one(cluster.namespaces)}.pod.cluster.local`,
    () => reverseName(one([...cluster.addresses, ...cluster.clusterIps, "192.0.2.1"])),
    () =>
      one([
        "cluster.local",
        "svc.cluster.local",
        "pod.cluster.local",
        "dns-version.cluster.local",
        "ns.dns.cluster.local",
        "in-addr.arpa",
        "ip6.arpa",
        "x.in-addr.arpa",
        "x.cluster.local",
      ]),
    () => `${one([...cluster.namespaces, "no", "*"])}.${one(["svc", "pod"])}.cluster.local`,
    () => `${one(["a.b.c", "*", "any", "a.b.c.d.e"])}.${service()}.svc.cluster.local`,
    () => one(["www.example.com", "nothing.example.com", "example.org", "cluster.local.example.com"]),
  ];
  return Array.from({ length: count }, (_, id) => {
    const plain = one(forms)();
    // Upstream finds NS of the domain and ns.dns in lower case only.
    const name = chance(15) && !/^(ns\.dns|cluster\.local|in-addr|ip6)/.test(plain) ? mixCase(plain, random) : plain;
    const edns = one([undefined, undefined, { udpSize: 0 }, { udpSize: 512 }, { udpSize: 1232 }, { udpSize: 4096 }]);
    return {
      transport: chance(10) ? "tcp" : "udp",
      message: {
        id: id & 0xffff,
        isResponse: false,
        opcode: 0,
        authoritative: chance(3),
        truncated: false,
        recursionDesired: chance(90),
        recursionAvailable: false,
        authenticData: false,
        checkingDisabled: chance(5),
        responseCode: 0,
        questions: [{ name, type: chance(90) ? one(types) : recordTypes.A, class: chance(98) ? 1 : one([3, 255]) }],
        answers: [],
        authorities: [],
        additionals: [],
        edns: edns && { ...edns, version: chance(97) ? 0 : 1, dnssecOk: chance(20), options: [] },
      },
    };
  });
}

function mixCase(text: string, random: RandomSource): string {
  return [...text].map((letter) => (random.next() < 0.5 ? letter.toUpperCase() : letter)).join("");
}

export function reverseName(address: string): string {
  if (!address.includes(":")) return `${address.split(".").toReversed().join(".")}.in-addr.arpa`;
  const [before = "", after = ""] = address.split("::");
  const head = before.split(":").filter(Boolean);
  const tail = after.split(":").filter(Boolean);
  const groups = [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => "0"), ...tail];
  const nibbles = groups.map((group) => group.padStart(4, "0")).join("");
  return `${[...nibbles].toReversed().join(".")}.ip6.arpa`;
}
