import type { RestClient } from "@coxswain/client";
import type { KubernetesValue } from "../contract/messages.js";

/** The objects of one list, without its own metadata. */
export async function listObjects(
  rest: RestClient,
  path: string,
  query: readonly (readonly [string, string])[] = [],
  accept = "application/json",
): Promise<readonly KubernetesValue[]> {
  const list = await rest.send({ method: "GET", path, query, headers: { accept } });
  return (list as { items?: readonly KubernetesValue[] | null }).items ?? [];
}
