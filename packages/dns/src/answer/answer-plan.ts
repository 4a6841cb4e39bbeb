import type { ResourceRecord, SoaRecord, TargetRecord } from "@coxswain/wire/dns";

/** What to answer. All but `elsewhere` and `refused` are authoritative. */
export type AnswerPlan =
  /** No name of this server: forward the question. */
  | { readonly kind: "elsewhere" }
  | { readonly kind: "refused" }
  /** SERVFAIL: the cluster is not read yet, so that nothing is known about the name. */
  | { readonly kind: "failure"; readonly soa: SoaRecord }
  /** NXDOMAIN */
  | { readonly kind: "no-name"; readonly soa: SoaRecord }
  /** NOERROR without an answer: the name exists, but has no record of the type. */
  | { readonly kind: "no-data"; readonly soa: SoaRecord }
  | {
      readonly kind: "records";
      readonly answers: readonly ResourceRecord[];
      readonly additionals: readonly ResourceRecord[];
    }
  /** One record per address, in random order, behind the aliases that lead to them. */
  | {
      readonly kind: "addresses";
      readonly aliases: readonly TargetRecord[];
      readonly name: string;
      readonly type: "A" | "AAAA";
      readonly addresses: readonly string[];
    }
  /** The aliases, and whatever other servers answer about the last one's target. */
  | { readonly kind: "alias"; readonly aliases: readonly TargetRecord[]; readonly target: string };
