import type { DeepReadonly } from "@coxswain/api";
import type { Secret } from "@coxswain/api/core/v1";
import { getOwn } from "@coxswain/apimachinery/own";
import { parseTimeMs } from "@coxswain/apimachinery/time";

export const tokenType = "bootstrap.kubernetes.io/token";
export const tokenNamespace = "kube-system";

/** Pure: how many milliseconds a bootstrap token is still valid; undefined: for ever. One whose time cannot be read has expired. */
export function validForMs(secret: DeepReadonly<Secret>, nowMs: number): number | undefined {
  const expiration = getOwn(secret.data, "expiration");
  if (!expiration) return undefined;
  const at = parseTimeMs(atob(expiration));
  return at === undefined ? 0 : Math.max(0, at - nowMs);
}
