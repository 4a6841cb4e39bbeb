import type { Clock } from "@coxswain/apimachinery/clock";
import type { RandomSource } from "@coxswain/apimachinery/random";
import type { Authorizer } from "../authorization/attributes.js";
import type { CacheFeed } from "../cache/cache-feed.js";
import type { QuotaWriter } from "./resource-quota/quota-writer.js";

/** What plugins read, and the few things that they write. */
export interface PluginDeps {
  readonly feed: CacheFeed;
  readonly gates: { enabled(gate: string): boolean };
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly authorizer: Authorizer;
  /** Makes a namespace on the server's own account, and returns when readers see it. */
  makeNamespace(name: string): Promise<void>;
  readonly quotaWriter: QuotaWriter;
}
