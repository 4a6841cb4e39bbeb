import type { DeepReadonly } from "@coxswain/api";
import type { CertificateSigningRequest } from "@coxswain/api/certificates/v1";
import { parseTimeMs } from "@coxswain/apimachinery/time";

const hour = 3_600_000;
/** How long requests that are done with stay, in milliseconds. */
const answeredMs = hour;
/** How long those stay that nobody has answered. */
const unansweredMs = 24 * hour;

/**
 * Pure: whether a request has stayed for long enough: for an hour after it was denied, failed, or approved and issued; for a
 * day while nobody decides or issues; and not longer than its certificate is valid.
 * @param options.expiresMs when the certificate ceases to be valid; undefined: there is none that can be read
 */
export function isOutdated(
  { metadata, status }: DeepReadonly<CertificateSigningRequest>,
  { nowMs, expiresMs }: { nowMs: number; expiresMs: number | undefined },
): boolean {
  const isOlderThan = (time: string | null | undefined, ms: number): boolean => {
    const at = time ? parseTimeMs(time) : undefined;
    return at !== undefined && nowMs - at > ms;
  };
  const conditions = status?.conditions ?? [];
  if (conditions.length === 0) return isOlderThan(metadata?.creationTimestamp, unansweredMs);
  const isIssued = Boolean(status?.certificate);
  return conditions.some(({ type, lastUpdateTime }) => {
    if (type === "Denied" || type === "Failed") return isOlderThan(lastUpdateTime, answeredMs);
    if (type !== "Approved") return false;
    if (!isIssued) return isOlderThan(lastUpdateTime, unansweredMs);
    return isOlderThan(lastUpdateTime, answeredMs) || (expiresMs !== undefined && nowMs > expiresMs);
  });
}
