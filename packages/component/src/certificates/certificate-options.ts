import type { Clock } from "@coxswain/runtime/clock";
import type { RandomSource } from "@coxswain/runtime/random";

export interface CertificateOptions {
  /** The real time: others will compare these dates with theirs. */
  readonly clock: Pick<Clock, "now">;
  readonly random: Pick<RandomSource, "bytes">;
}
