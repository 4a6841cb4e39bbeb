import type { DeepReadonly } from "@coxswain/api";
import type { NonResourcePolicyRule, ResourcePolicyRule } from "@coxswain/api/flowcontrol/v1";
import { type FieldError, type FieldPath, invalid, notSupported, required } from "@coxswain/apimachinery/field";
import { checkNamespaceName } from "@coxswain/apimachinery/validation";

const knownVerbs = ["create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"];

type List = readonly string[] | null | undefined;

function checkVerbs(verbs: List, path: FieldPath): FieldError[] {
  const list = verbs ?? [];
  if (list.length === 0) return [required(path, "verbs must contain at least one value")];
  if (list.includes("*"))
    return list.length > 1 ? [invalid(path, list, "if '*' is present, must not specify other verbs")] : [];
  return list.every((verb) => knownVerbs.includes(verb)) ? [] : [notSupported(path, list, knownVerbs)];
}

/** At least one, and everything only alone. */
function checkList(list: List, path: FieldPath, one: string, many: string): FieldError[] {
  const items = list ?? [];
  if (items.length === 0) return [required(path, `resource rules must supply at least one ${one}`)];
  return items.length > 1 && items.includes("*")
    ? [invalid(path, items, `if '*' is present, must not specify other ${many}`)]
    : [];
}

export function checkResourceRule(
  { verbs, apiGroups, resources, namespaces, clusterScope }: DeepReadonly<ResourcePolicyRule>,
  path: FieldPath,
): FieldError[] {
  return [
    ...checkVerbs(verbs, path.child("verbs")),
    ...checkList(apiGroups, path.child("apiGroups"), "api group", "api groups"),
    ...checkList(resources, path.child("resources"), "resource", "resources"),
    ...checkNamespaces(namespaces ?? [], clusterScope ?? false, path.child("namespaces")),
  ];
}

function checkNamespaces(namespaces: readonly string[], clusterScope: boolean, path: FieldPath): FieldError[] {
  if (namespaces.length === 0 && !clusterScope)
    return [required(path, "resource rules that are not cluster scoped must supply at least one namespace")];
  if (namespaces.includes("*"))
    return namespaces.length > 1
      ? [invalid(path, namespaces, "if '*' is present, must not specify other namespaces")]
      : [];
  return namespaces.flatMap((name, at) =>
    checkNamespaceName(name).map((problem) =>
      invalid(path.index(at), name, `each member of this list must be '*' or a DNS-1123 label; ${problem}`),
    ),
  );
}

export function checkNonResourceRule(
  { verbs, nonResourceURLs }: DeepReadonly<NonResourcePolicyRule>,
  path: FieldPath,
): FieldError[] {
  return [
    ...checkVerbs(verbs, path.child("verbs")),
    ...checkUrls(nonResourceURLs ?? [], path.child("nonResourceURLs")),
  ];
}

function checkUrls(urls: readonly string[], path: FieldPath): FieldError[] {
  if (urls.length === 0) return [required(path, "nonResourceURLs must contain at least one value")];
  if (urls.includes("*"))
    return urls.length > 1 ? [invalid(path, urls, "if '*' is present, must not specify other non-resource URLs")] : [];
  return urls.flatMap((url, at) => {
    const problem = urlProblem(url);
    return problem === undefined ? [] : [invalid(path.index(at), url, problem)];
  });
}

function urlProblem(url: string): string | undefined {
  if (url === "") return "must not be empty";
  if (url === "/") return undefined;
  if (!url.startsWith("/")) return "must start with slash";
  if (url.includes(" ")) return "must not contain white-space";
  if (url.includes("//")) return "must not contain double slash";
  const stars = url.split("*").length - 1;
  return stars > 1 || (stars === 1 && !url.endsWith("/*")) ? "wildcard can only do suffix matching" : undefined;
}
