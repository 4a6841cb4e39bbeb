import { quoteGo } from "@coxswain/apimachinery/field";
import { badRequest } from "@coxswain/apimachinery/status";
import { checkDnsLabel, checkDnsSubdomain } from "@coxswain/apimachinery/validation";
import { linesOf, unescapeKey, valuesByName } from "../request/header-lines.js";
import type { ApiRequest } from "../request/request.js";

/** The user that a request wants to impersonate, just as its headers have it. */
export interface ImpersonationRequest {
  readonly user: string;
  readonly groups: readonly string[];
  readonly uid: string;
  readonly extra: readonly (readonly [key: string, values: readonly string[]])[];
}

const prefix = "impersonate-";
const extraPrefix = "impersonate-extra-";

/** Undefined: nobody else. */
export function readImpersonation(request: ApiRequest): ImpersonationRequest | undefined {
  if (!hasAny(request)) return undefined;
  const values = valuesByName(linesOf(request).filter(({ name }) => name.startsWith(prefix)));
  const [user = ""] = values.get("impersonate-user") ?? [];
  const groups = values.get("impersonate-group") ?? [];
  const [uid = ""] = values.get("impersonate-uid") ?? [];
  const extra = [...values]
    .filter(([name]) => name.startsWith(extraPrefix))
    .map(([name, each]) => [unescapeKey(name.slice(extraPrefix.length)), each] as const);
  if (user === "" && (groups.length > 0 || uid !== "" || extra.length > 0))
    throw badRequest(`requested ${describe({ user, groups, uid, extra })} without impersonating a user name`);
  return user === "" ? undefined : { user, groups, uid, extra };
}

/** Most requests have none of them. */
function hasAny(request: ApiRequest): boolean {
  for (const name of request.headerNames()) if (name.startsWith(prefix)) return true;
  return false;
}

/** As Go prints the structure. */
function describe({ groups, uid, extra }: ImpersonationRequest): string {
  const list = (values: readonly string[]): string => `[]string{${values.map(quoteGo).join(", ")}}`;
  const sorted = [...extra].sort(([a], [b]) => (a < b ? -1 : 1));
  const extras =
    extra.length === 0
      ? "map[string][]string(nil)"
      : `map[string][]string{${sorted.map(([key, values]) => `${quoteGo(key)}:${list(values)}`).join(", ")}}`;
  return `&user.DefaultInfo{Name:"", UID:${quoteGo(uid)}, Groups:${groups.length === 0 ? "[]string(nil)" : list(groups)}, Extra:${extras}}`;
}

const accountPattern = /^system:serviceaccount:([^:]*):([^:]*)$/;

/** The service account that a user name stands for. */
export function accountOf(user: string): { namespace: string; name: string } | undefined {
  const [, namespace = "", name = ""] = accountPattern.exec(user) ?? [];
  return checkDnsLabel(namespace).length === 0 && checkDnsSubdomain(name).length === 0
    ? { namespace, name }
    : undefined;
}

/** The node that a user name stands for. */
export function nodeNamed(user: string): string | undefined {
  const name = user.startsWith("system:node:") ? user.slice("system:node:".length) : "";
  return checkDnsSubdomain(name).length === 0 ? name : undefined;
}
