import { timingSafeEqual } from "node:crypto";
import type { Secret } from "@coxswain/api/core/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { getOwn } from "@coxswain/apimachinery/own";
import type { Clock } from "@coxswain/runtime/clock";
import type { TokenAuthenticator } from "./authenticator.js";
import type { FindBound } from "./service-account-tokens.js";

const tokenForm = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const groupForm = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
const defaultGroup = "system:bootstrappers";

/** Tokens `id.secret` with which nodes join: each is a secret `bootstrap-token-<id>` in kube-system. What is wrong with a secret makes its token unknown. */
export const createBootstrapTokenAuthenticator =
  ({ find, clock }: { find: FindBound; clock: Pick<Clock, "now"> }): TokenAuthenticator =>
  (token) => {
    const [, id, secretPart] = tokenForm.exec(token) ?? [];
    if (id === undefined || secretPart === undefined) return undefined;
    const secret = find("secrets", "kube-system", `bootstrap-token-${id}`) as (Secret & KubernetesObject) | undefined;
    if (!secret || secret.metadata.deletionTimestamp || secret.type !== "bootstrap.kubernetes.io/token")
      return undefined;
    const member = (name: string): string => Buffer.from(String(getOwn(secret.data, name) ?? ""), "base64").toString();
    if (!isSame(member("token-secret"), secretPart) || member("token-id") !== id) return undefined;
    if (hasExpired(member("expiration"), clock.now()) || member("usage-bootstrap-authentication") !== "true")
      return undefined;
    const more = member("auth-extra-groups")
      .split(",")
      .filter((group) => group !== "");
    if (more.some((group) => !groupForm.test(group))) return undefined;
    return { user: { name: `system:bootstrap:${id}`, groups: [...new Set([defaultGroup, ...more])].sort() } };
  };

function isSame(kept: string, shown: string): boolean {
  const [a, b] = [Buffer.from(kept), Buffer.from(shown)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** A time that cannot be read is over. */
const hasExpired = (text: string, now: number): boolean =>
  text !== "" && !(rfc3339.test(text) && now <= Date.parse(text));
