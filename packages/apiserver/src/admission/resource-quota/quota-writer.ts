import type { Amounts } from "@coxswain/api/quota";
import type { StatusError } from "@coxswain/apimachinery/status";
import type { Quota } from "./check-request.js";

export interface QuotaWriter {
  /** Writes what is used now if the quota is still as it was read. Answers with the conflict if it is not; returns once readers see either. */
  write(quota: Quota, used: Amounts): Promise<StatusError | undefined>;
}
