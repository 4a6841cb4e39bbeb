import { badRequest } from "@coxswain/apimachinery/status";
import { setOwn } from "@coxswain/apimachinery/own";
import type { Attributes, Authorizer } from "../authorization/attributes.js";
import type { ApiRequest } from "../server/request.js";
import { anonymous, type UserInfo } from "../server/user-info.js";
import { forbiddenError } from "./authorize.js";
import type { Filter } from "./filter.js";

const authenticated = "system:authenticated";
const unauthenticated = "system:unauthenticated";
const extraPrefix = "impersonate-extra-";

/** A request may ask to be taken for somebody else's (`kubectl --as`), if its user may impersonate each thing that it names. */
export const impersonate =
  (authorizer: Authorizer): Filter =>
  async (context, next) => {
    const wish = readWish(context.request);
    if (wish) {
      for (const asked of questions(wish, context.user)) {
        const { decision, reason } = await authorizer(asked);
        if (decision !== "allow") throw forbiddenError(asked, reason);
      }
      context.user = userOf(wish);
    }
    return next(context);
  };

interface Wish {
  readonly user: string;
  readonly groups: readonly string[];
  readonly uid: string;
  readonly extra: readonly (readonly [key: string, values: readonly string[]])[];
}

function readWish(request: ApiRequest): Wish | undefined {
  const user = request.header("impersonate-user") ?? "";
  const groups = listOf(request.header("impersonate-group"));
  const uid = request.header("impersonate-uid") ?? "";
  const extra = [...request.headerNames()].filter((name) => name.startsWith(extraPrefix)).map((name) => [unescape(name.slice(extraPrefix.length)), listOf(request.header(name))] as const);
  const others = groups.length > 0 || uid !== "" || extra.length > 0;
  if (user === "" && others) throw badRequest("requested groups, a UID or extra without impersonating a user");
  return user === "" ? undefined : { user, groups, uid, extra };
}

/** Several lines of one header arrive joined by commas. */
const listOf = (header: string | undefined): string[] => (header === undefined || header === "" ? [] : header.split(", "));

function unescape(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

const accountPattern = /^system:serviceaccount:([^:]+):([^:]+)$/;

/** One for each thing that is asked for. */
function* questions({ user, groups, uid, extra }: Wish, by: UserInfo): Generator<Attributes, void> {
  const base = { user: by, verb: "impersonate", isResource: true, path: "", group: "", version: "", namespace: "", subresource: "" };
  const account = accountPattern.exec(user);
  if (account) yield { ...base, resource: "serviceaccounts", namespace: account[1] ?? "", name: account[2] ?? "" };
  else yield { ...base, resource: "users", name: user };
  for (const name of groups) yield { ...base, resource: "groups", name };
  const authentication = { ...base, group: "authentication.k8s.io", version: "v1" };
  for (const [key, values] of extra) for (const name of values) yield { ...authentication, resource: "userextras", subresource: key, name };
  if (uid !== "") yield { ...authentication, resource: "uids", name: uid };
}

function userOf({ user, groups, uid, extra }: Wish): UserInfo {
  const namespace = accountPattern.exec(user)?.[1];
  // The groups of a service account follow from its name; groups that were named are the authority.
  const known = groups.length > 0 ? groups : namespace === undefined ? [] : ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
  const everybody = user === anonymous.name ? unauthenticated : authenticated;
  const complete = known.includes(everybody) || (user !== anonymous.name && known.includes(unauthenticated));
  const extras: Record<string, readonly string[]> = {};
  for (const [key, values] of extra) setOwn(extras, key, values);
  return { name: user, groups: complete ? known : [...known, everybody], ...(uid === "" ? {} : { uid }), ...(extra.length === 0 ? {} : { extra: extras }) };
}
