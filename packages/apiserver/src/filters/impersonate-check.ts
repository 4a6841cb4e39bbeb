import { fieldErrorsText, fieldPath, quoteGo } from "@coxswain/apimachinery/field";
import { getOwn, setOwn } from "@coxswain/apimachinery/own";
import type { StatusError } from "@coxswain/apimachinery/status";
import { validateDomainPrefixedPath } from "@coxswain/apimachinery/validation";
import type { Attributes, Authorizer } from "../authorization/attributes.js";
import { forbiddenError } from "../authorization/forbidden-error.js";
import { anonymous, type UserInfo } from "../request/user-info.js";
import { accountOf, type ImpersonationRequest, nodeNamed } from "./impersonation-request.js";

/** From this many questions on, the right to all is asked for first. */
const many = 4;

export interface ImpersonationCheck {
  readonly authorizer: Authorizer;
  /** `impersonate`, or `impersonate:<mode>`. */
  readonly verb: string;
  /** The newer form is stricter, and names users and groups in another API group. */
  readonly constrained: boolean;
}

/** The impersonated user, or why not: the client must have the right to impersonate everything that it names. */
export async function checkImpersonation(
  check: ImpersonationCheck,
  requested: ImpersonationRequest,
  requestor: UserInfo,
): Promise<UserInfo | StatusError> {
  const base: Attributes = {
    user: requestor,
    verb: check.verb,
    isResource: true,
    path: "",
    group: "authentication.k8s.io",
    version: "v1",
    namespace: "",
    resource: "",
    subresource: "",
    name: "",
  };
  const named: Attributes = check.constrained ? base : { ...base, group: "" };
  const steps = [
    () => ask(check.authorizer, userQuestion(check, requested, named)),
    () => askUid(check, requested, base),
    () => askGroups(check, requested, { ...named, resource: "groups" }),
    () => askExtra(check, requested, { ...base, resource: "userextras" }),
  ];
  for (const step of steps) {
    const refusal = await step();
    if (refusal) return refusal;
  }
  return userOf(check, requested);
}

/** Undefined: allowed. */
export async function ask(authorizer: Authorizer, asked: Attributes): Promise<StatusError | undefined> {
  const { decision, reason, error } = await authorizer(asked);
  if (decision === "allow") return undefined;
  return forbiddenError(asked, error === undefined ? reason : reason === "" ? error : `${error}: ${reason}`);
}

function userQuestion(
  { constrained }: ImpersonationCheck,
  { user }: ImpersonationRequest,
  named: Attributes,
): Attributes {
  const account = accountOf(user);
  if (account) return { ...named, resource: "serviceaccounts", ...account };
  const node = constrained ? nodeNamed(user) : undefined;
  return node === undefined ? { ...named, resource: "users", name: user } : { ...named, resource: "nodes", name: node };
}

async function askUid(
  { authorizer }: ImpersonationCheck,
  { uid }: ImpersonationRequest,
  base: Attributes,
): Promise<StatusError | undefined> {
  return uid === "" ? undefined : ask(authorizer, { ...base, resource: "uids", name: uid });
}

async function askGroups(
  { authorizer, constrained }: ImpersonationCheck,
  { groups }: ImpersonationRequest,
  base: Attributes,
): Promise<StatusError | undefined> {
  if (constrained) {
    if (groups.includes("")) return forbiddenError(base, "impersonating the empty string group is not allowed");
    if (groups.includes("system:masters"))
      return forbiddenError(
        { ...base, name: "system:masters" },
        "impersonating the system:masters group is not allowed",
      );
    if (groups.length >= many && !(await ask(authorizer, { ...base, name: "*" }))) return undefined;
  }
  for (const name of groups) {
    const refusal = await ask(authorizer, { ...base, name });
    if (refusal) return refusal;
  }
  return undefined;
}

async function askExtra(
  { authorizer, constrained }: ImpersonationCheck,
  { extra }: ImpersonationRequest,
  base: Attributes,
): Promise<StatusError | undefined> {
  if (constrained) {
    const problem = extra.map(([key, values]) => extraProblem(key, values)).find((text) => text !== undefined);
    if (problem !== undefined) return forbiddenError(base, problem);
    const count = extra.reduce((sum, [, values]) => sum + values.length, 0);
    if ((extra.length >= many || count >= many) && !(await ask(authorizer, { ...base, subresource: "*", name: "*" })))
      return undefined;
  }
  for (const [subresource, values] of extra) {
    for (const name of values) {
      const refusal = await ask(authorizer, { ...base, subresource, name });
      if (refusal) return refusal;
    }
  }
  return undefined;
}

function extraProblem(key: string, values: readonly string[]): string | undefined {
  if (key === "") return "impersonating the empty string key in extra is not allowed";
  const wrong = fieldErrorsText(validateDomainPrefixedPath(key, fieldPath("extra", "key")));
  if (wrong !== undefined) return `impersonating an invalid key in extra is not allowed: ${wrong}`;
  if (key !== key.toLowerCase()) return `impersonating a non-lowercase key in extra is not allowed: ${quoteGo(key)}`;
  return values.includes("") ? "impersonating the empty string value in extra is not allowed" : undefined;
}

function userOf({ constrained }: ImpersonationCheck, { user, groups, uid, extra }: ImpersonationRequest): UserInfo {
  const all = withEverybody(user, groups.length > 0 ? groups : knownGroups(user, constrained));
  const extras: Record<string, readonly string[]> = {};
  for (const [key, values] of extra) setOwn(extras, key, [...(getOwn(extras, key) ?? []), ...values]);
  return { name: user, groups: all, ...(uid === "" ? {} : { uid }), ...(extra.length === 0 ? {} : { extra: extras }) };
}

/** The groups of a service account and of a node follow from their names. */
function knownGroups(user: string, constrained: boolean): string[] {
  const account = accountOf(user);
  if (account) return ["system:serviceaccounts", `system:serviceaccounts:${account.namespace}`];
  return constrained && nodeNamed(user) !== undefined ? ["system:nodes"] : [];
}

function withEverybody(user: string, groups: readonly string[]): readonly string[] {
  const wanted = user === anonymous.name ? "system:unauthenticated" : "system:authenticated";
  if (groups.includes(wanted) || (user !== anonymous.name && groups.includes("system:unauthenticated"))) return groups;
  return [...groups, wanted];
}
