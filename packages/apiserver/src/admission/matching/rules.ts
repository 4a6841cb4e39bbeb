import type { DeepReadonly } from "@coxswain/api";
import type { RuleWithOperations } from "@coxswain/api/admissionregistration/v1";
import type { GroupVersionResource } from "@coxswain/apimachinery/meta";
import type { RequestedResource } from "./requested-resource.js";

/** What a rule is compared with. */
export type RuledRequest = Pick<RequestedResource, "operation" | "resource" | "subresource" | "namespace">;

/** Whether a rule of a webhook or policy covers a request. */
export function ruleMatches(rule: DeepReadonly<RuleWithOperations>, request: RuledRequest): boolean {
  const { operation, resource, subresource } = request;
  return (
    scopeMatches(rule.scope, request) &&
    includes(rule.operations, operation) &&
    includes(rule.apiGroups, resource.group) &&
    includes(rule.apiVersions, resource.version) &&
    (rule.resources ?? []).some((pattern) => resourceMatches(pattern, resource.resource, subresource))
  );
}

const includes = (items: readonly string[] | undefined, wanted: string): boolean =>
  items?.some((item) => item === "*" || item === wanted) ?? false;

/** "pods", "pods/*", "*" and a subresource: a pattern without a slash never covers subresources. */
function resourceMatches(pattern: string, resource: string, subresource: string): boolean {
  const slash = pattern.indexOf("/");
  const [wanted, sub] = slash < 0 ? [pattern, ""] : [pattern.slice(0, slash), pattern.slice(slash + 1)];
  return (wanted === "*" || wanted === resource) && (sub === "*" || sub === subresource);
}

/** Namespaces are cluster-wide, although a request for one counts as being inside it. */
function scopeMatches(scope: string | undefined, { resource, namespace }: RuledRequest): boolean {
  const isInNamespace = namespace !== "" && !isNamespaces(resource);
  switch (scope ?? "*") {
    case "*":
      return true;
    case "Namespaced":
      return isInNamespace;
    case "Cluster":
      return !isInNamespace;
    default:
      return false;
  }
}

const isNamespaces = ({ group, version, resource }: GroupVersionResource): boolean =>
  group === "" && version === "v1" && resource === "namespaces";

const exempt: ReadonlySet<string> = new Set([
  "ValidatingWebhookConfiguration",
  "MutatingWebhookConfiguration",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
]);

/** What configures admission is never subject to it: a broken webhook could not be taken away again. */
export const isExempt = ({ group, kind }: { readonly group: string; readonly kind: string }): boolean =>
  group === "admissionregistration.k8s.io" && exempt.has(kind);
