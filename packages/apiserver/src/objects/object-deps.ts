import type { Clock } from "@coxswain/apimachinery/clock";
import type { RandomSource } from "@coxswain/apimachinery/random";
import type { KeyValueStore } from "@coxswain/storage";
import type { Admission } from "../admission/admission.js";
import type { CacheFeed } from "../cache/cache-feed.js";

/** What reading and writing objects rests on. */
export interface ObjectDeps {
  readonly store: KeyValueStore;
  readonly feed: CacheFeed;
  readonly admission: Admission;
  readonly gates: { enabled(gate: string): boolean };
  readonly clock: Clock;
  readonly random: RandomSource;
}
