/** Upstream's API verbs; other methods have none (pkg/kubelet/server/auth.go, GetRequestAttributes). */
const verbs: Readonly<Record<string, string>> = {
  POST: "create",
  GET: "get",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};

export const verbOf = (method: string): string => verbs[method] ?? "";

/** Paths of which a narrower right than nodes/proxy is enough (KubeletFineGrainedAuthz, which is on in 1.36). */
const fineGrained = [
  ["/pods", "pods"],
  ["/healthz", "healthz"],
  ["/configz", "configz"],
  ["/runningpods", "pods"],
] as const;

/** Paths that have a subresource of their own, and for which nodes/proxy is not enough. */
const separate = [
  ["/stats", "stats"],
  ["/metrics", "metrics"],
  ["/logs", "log"],
  ["/checkpoint", "checkpoint"],
  ["/statusz", "statusz"],
  ["/flagz", "configz"],
] as const;

/** Subresources of `nodes`, any of which lets a client ask for the path, in the order in which they are asked about. */
export function subresourcesOf(path: string): readonly string[] {
  const within = ([prefix]: readonly [string, string]): boolean => path === prefix || path.startsWith(`${prefix}/`);
  const fine = fineGrained.find(within)?.[1];
  return [...(fine === undefined ? [] : [fine]), separate.find(within)?.[1] ?? "proxy"];
}
