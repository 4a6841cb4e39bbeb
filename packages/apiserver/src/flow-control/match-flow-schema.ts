import type {
  FlowSchemaSpec,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from "@coxswain/api/flowcontrol/v1";
import type { RequestInfo } from "../request/request-info.js";
import type { UserInfo } from "../request/user-info.js";

/** What decides which schema a request belongs to. */
export interface RequestDigest {
  readonly user: Pick<UserInfo, "name" | "groups">;
  readonly info: Pick<RequestInfo, "isResource" | "verb" | "group" | "resource" | "subresource" | "namespace" | "path">;
}

const serviceAccountPrefix = "system:serviceaccount:";

export const matchesFlowSchema = (digest: RequestDigest, spec: FlowSchemaSpec): boolean =>
  (spec.rules ?? []).some((rule) => matchesRule(digest, rule));

function matchesRule(
  { user, info }: RequestDigest,
  { subjects, resourceRules = [], nonResourceRules = [] }: PolicyRulesWithSubjects,
): boolean {
  if (!subjects.some((subject) => matchesSubject(user, subject))) return false;
  return info.isResource
    ? resourceRules.some((rule) => matchesResource(info, rule))
    : nonResourceRules.some((rule) => matchesPath(info, rule));
}

function matchesSubject({ name, groups }: RequestDigest["user"], subject: Subject): boolean {
  if (subject.kind === "User")
    return subject.user !== undefined && (subject.user.name === "*" || subject.user.name === name);
  if (subject.kind === "Group")
    return subject.group !== undefined && (subject.group.name === "*" || groups.includes(subject.group.name));
  const account = subject.serviceAccount;
  if (subject.kind !== "ServiceAccount" || !account) return false;
  const inNamespace = `${serviceAccountPrefix}${account.namespace}:`;
  return account.name === "*" ? name.startsWith(inNamespace) : name === inNamespace + account.name;
}

function matchesResource(
  { verb, group, resource, subresource, namespace }: RequestDigest["info"],
  rule: ResourcePolicyRule,
): boolean {
  return (
    has(rule.verbs, verb) &&
    has(rule.resources, subresource === "" ? resource : `${resource}/${subresource}`) &&
    has(rule.apiGroups, group) &&
    (namespace === "" ? rule.clusterScope === true : has(rule.namespaces ?? [], namespace))
  );
}

function matchesPath(
  { verb, path }: RequestDigest["info"],
  { verbs, nonResourceURLs }: NonResourcePolicyRule,
): boolean {
  return (
    has(verbs, verb) && nonResourceURLs.some((url) => url === "*" || url === path || path.startsWith(prefixOf(url)))
  );
}

/** A rule for `/a` or `/a/*` is for what stands below `/a/` as well. */
function prefixOf(url: string): string {
  const prefix = url.endsWith("*") ? url.slice(0, -1) : url;
  return prefix.endsWith("/") ? prefix : `${prefix}/`;
}

/** The star stands alone or is a word like others. */
const has = (list: readonly string[], value: string): boolean =>
  (list.length === 1 && list[0] === "*") || list.includes(value);
