import { describe, expect, it } from "vitest";
import { type Authorizer, allowed, noOpinion } from "../authorization/attributes.js";
import { statusAnswer } from "../request/answer.js";
import type { RequestContext } from "../request/request-context.js";
import type { UserInfo } from "../request/user-info.js";
import { impersonate } from "./impersonate.js";

/** Whom the request is taken for, or why not. The user may impersonate what `may` names. */
async function taken(headers: Record<string, string>, may: readonly string[]): Promise<UserInfo | string> {
  const authorizer: Authorizer = ({ resource, subresource, namespace, name }) =>
    may.includes([resource, subresource, namespace, name].filter(Boolean).join("/")) ? allowed() : noOpinion();
  const context = {
    user: { name: "me", groups: [] },
    info: { isResource: false, path: "/", verb: "get" },
    request: { header: (name: string) => headers[name], headerNames: () => Object.keys(headers) },
  } as unknown as RequestContext;
  try {
    const answer = await impersonate(authorizer, { constrained: false })(context, () =>
      Promise.resolve(statusAnswer({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" })),
    );
    return answer.as === "status" && answer.status.status === "Failure" ? (answer.status.message ?? "") : context.user;
  } catch (err) {
    return String(err);
  }
}

describe("impersonation", () => {
  const cases: { name: string; headers: Record<string, string>; may?: string[]; want: UserInfo | string }[] = [
    { name: "no requested", headers: {}, want: { name: "me", groups: [] } },
    {
      name: "a user",
      headers: { "impersonate-user": "bob" },
      may: ["users/bob"],
      want: { name: "bob", groups: ["system:authenticated"] },
    },
    {
      name: "a user that it may not",
      headers: { "impersonate-user": "bob" },
      want: 'users "bob" is forbidden: User "me" cannot impersonate resource "users" in API group "" at the cluster scope',
    },
    {
      name: "groups",
      headers: { "impersonate-user": "bob", "impersonate-group": "a, b" },
      may: ["users/bob", "groups/a", "groups/b"],
      want: { name: "bob", groups: ["a", "b", "system:authenticated"] },
    },
    {
      name: "one group too many",
      headers: { "impersonate-user": "bob", "impersonate-group": "a, system:masters" },
      may: ["users/bob", "groups/a"],
      want: 'groups "system:masters" is forbidden: User "me" cannot impersonate resource "groups" in API group "" at the cluster scope',
    },
    {
      name: "a service account, with the groups it always has",
      headers: { "impersonate-user": "system:serviceaccount:shop:bot" },
      may: ["serviceaccounts/shop/bot"],
      want: {
        name: "system:serviceaccount:shop:bot",
        groups: ["system:serviceaccounts", "system:serviceaccounts:shop", "system:authenticated"],
      },
    },
    {
      name: "the anonymous user",
      headers: { "impersonate-user": "system:anonymous" },
      may: ["users/system:anonymous"],
      want: { name: "system:anonymous", groups: ["system:unauthenticated"] },
    },
    {
      name: "extra and a uid",
      headers: { "impersonate-user": "bob", "impersonate-extra-team%2fx": "1", "impersonate-uid": "u" },
      may: ["users/bob", "userextras/team/x/1", "uids/u"],
      want: { name: "bob", groups: ["system:authenticated"], uid: "u", extra: { "team/x": ["1"] } },
    },
    {
      name: "groups of nobody",
      headers: { "impersonate-group": "a" },
      may: ["groups/a"],
      want: 'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"a"}, Extra:map[string][]string(nil)} without impersonating a user name',
    },
  ];
  for (const { name, headers, may = [], want } of cases)
    it(name, async () => expect(await taken(headers, may)).toEqual(want));
});
