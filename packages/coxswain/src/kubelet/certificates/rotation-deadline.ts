import type { RandomSource } from "@coxswain/runtime/random";

export interface Validity {
  /** In milliseconds since 1970. */
  readonly notBefore: number;
  readonly notAfter: number;
}

/** Pure: when a certificate is replaced: after 70 to 90 % of its life (client-go, util/certificate/certificate_manager.go, nextRotationDeadline). */
export const rotationDeadline = ({ notBefore, notAfter }: Validity, random: Pick<RandomSource, "next">): number =>
  notBefore + (notAfter - notBefore) * (0.7 + 0.2 * random.next());
