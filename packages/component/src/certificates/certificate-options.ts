import type { Clock } from "@coxswain/apimachinery/clock";
import type { RandomSource } from "@coxswain/apimachinery/random";

export interface CertificateOptions {
  /** The real time: others will compare these dates with theirs. */
  readonly clock: Pick<Clock, "now">;
  readonly random: Pick<RandomSource, "bytes">;
}
