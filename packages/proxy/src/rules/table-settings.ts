import type { Family } from "../addresses/family.js";

export const tableName = "coxswain-proxy";

/** What the fixed part of a table depends on. */
export interface TableSettings {
  readonly family: Family;
  /** The bit of the packet mark that asks for masquerading (14, as kube-proxy's). */
  readonly masqueradeBit: number;
  /** Masquerade every connection to a cluster IP. */
  readonly masqueradeAll: boolean;
  /** How packets of pods on this node are recognised; undefined: they are not. */
  readonly fromPods: { readonly is: string; readonly isNot: string } | undefined;
  /** The node's addresses that accept node ports; undefined: every local one but loopback. */
  readonly nodePortAddresses: readonly string[] | undefined;
  /** Packets to addresses in these networks that are no service's are dropped. */
  readonly serviceNetworks: readonly string[];
}

/** How nft writes what differs between the families. */
export interface FamilyWords {
  /** "ip coxswain-proxy": the table, in every command. */
  readonly table: string;
  readonly ip: "ip" | "ip6";
  readonly addressType: "ipv4_addr" | "ipv6_addr";
  readonly loopback: string;
}

export const wordsOf = (family: Family): FamilyWords =>
  family === "IPv4"
    ? { table: `ip ${tableName}`, ip: "ip", addressType: "ipv4_addr", loopback: "127.0.0.0/8" }
    : { table: `ip6 ${tableName}`, ip: "ip6", addressType: "ipv6_addr", loopback: "::1" };

/** Adds the mark to what the packet has already: other programs use other bits. */
export const markStatement = ({ masqueradeBit }: TableSettings): string =>
  `meta mark set meta mark or ${markOf(masqueradeBit)}`;

export const markOf = (bit: number): string => `0x${(2 ** bit).toString(16).padStart(8, "0")}`;
