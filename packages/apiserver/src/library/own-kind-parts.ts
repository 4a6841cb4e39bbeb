import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { ApiKind, SubresourceFacts } from "@coxswain/kinds/own-kinds";
import type { ResourceStorage } from "./resources/resource-storage.js";
import { verbsOf } from "./resources/storage-handlers.js";
import { isConnecting, type OwnSubresource } from "./subresources/own-subresource.js";
import { plainVerbs } from "./subresources/subresource-handlers.js";

/** A kind as a server of one's own serves it. */
export interface ServedKind<T extends KubernetesObject = KubernetesObject>
  extends Omit<ApiKind<T>, "subresources" | "verbs"> {
  /** By name, beside `status` and `scale`. @default there are none */
  readonly subresources?: Readonly<Record<string, OwnSubresource<T>>>;
  /** Where its objects are, if not in the server's store. @default they are stored */
  readonly storage?: ResourceStorage<T>;
}

const connectVerbs: Readonly<Record<string, string>> = {
  GET: "get",
  POST: "create",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};

/** What of a kind concerns its schema and its description. */
export function declarationOf({ subresources = {}, storage, ...kind }: ServedKind): ApiKind {
  const facts = Object.entries(subresources).map(([name, one]): [string, SubresourceFacts] => [name, factsOf(one)]);
  return {
    ...kind,
    subresources: Object.fromEntries(facts),
    ...(storage && { verbs: verbsOf(storage) }),
  };
}

function factsOf(subresource: OwnSubresource): SubresourceFacts {
  if (!isConnecting(subresource))
    return { verbs: plainVerbs(subresource), ...(subresource.kind && { kind: subresource.kind }) };
  const { methods = ["GET", "POST"] } = subresource;
  return { verbs: methods.flatMap((method) => connectVerbs[method] ?? []).sort() };
}
