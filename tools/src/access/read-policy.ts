import type { Ask } from "./make-world.js";
import type { Policy, Rule } from "./rbac-questions.js";

const base = "/apis/rbac.authorization.k8s.io/v1";

interface Item {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly Rule[];
  readonly roleRef?: { readonly kind: string; readonly name: string };
  readonly subjects?: Policy["bindings"][number]["subjects"];
}

/** Who is bound to what on a server. */
export async function readPolicy(ask: Ask): Promise<Policy> {
  const list = async (resource: string): Promise<Item[]> =>
    ((await ask("GET", `${base}/${resource}`)).body as { items: Item[] }).items;
  const rules = new Map<string, readonly Rule[]>();
  for (const { metadata, rules: held = [] } of await list("clusterroles"))
    rules.set(`ClusterRole//${metadata.name}`, held);
  for (const { metadata, rules: held = [] } of await list("roles"))
    rules.set(`Role/${metadata.namespace ?? ""}/${metadata.name}`, held);
  const bindings = [...(await list("clusterrolebindings")), ...(await list("rolebindings"))].map(
    ({ metadata, roleRef, subjects = [] }) => {
      const namespace = metadata.namespace ?? "";
      return {
        namespace,
        subjects,
        rules: rules.get(`${roleRef?.kind}/${roleRef?.kind === "Role" ? namespace : ""}/${roleRef?.name}`) ?? [],
      };
    },
  );
  return { bindings };
}
