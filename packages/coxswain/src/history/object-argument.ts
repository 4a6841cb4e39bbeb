import type { RestMapping } from "@coxswain/apimachinery/rest-mapper";
import type { Client } from "@coxswain/client";
import { FlagError } from "@coxswain/component/flags";

/** The object that a user names, as kubectl reads it: `deploy/web`, or `deploy web`. */
export interface NamedObject extends RestMapping {
  readonly name: string;
  /** "" for cluster-wide kinds. */
  readonly namespace: string;
}

/** @throws FlagError, NoMatchError */
export async function namedObject(
  { client, namespace }: { readonly client: Client; readonly namespace: string },
  words: readonly string[],
): Promise<NamedObject> {
  const [first = "", second, ...more] = words;
  const [resource = "", name = second, ...rest] = first.split("/");
  if (resource === "" || name === undefined || name === "" || rest.length > 0 || more.length > 0)
    throw new FlagError("name one object, such as deployment/web");
  const [plural = "", ...group] = resource.split(".");
  const partial = { resource: plural, ...(group.length > 0 && { group: group.join(".") }) };
  const gvk = await client.mapper.kindFor(partial);
  const mapping = await client.mapper.mapping(gvk, gvk.version);
  return { ...mapping, name, namespace: mapping.namespaced ? namespace : "" };
}

/** What selects its changes. */
export const fieldsOf = ({ resource: { group, resource }, name }: NamedObject): Record<string, string> => ({
  "object.resource": group === "" ? resource : `${resource}.${group}`,
  "object.name": name,
});
