import { hasStoreReason, type KeyRecord } from "@coxswain/storage";
import type { Authorizer } from "../../authorization/attributes.js";
import { collectionPrefix } from "../../cache/object-key.js";
import type { PastStates } from "../../endpoints/handler-deps.js";
import type { History } from "../contract/history.js";
import { keptChanges } from "./kept-changes.js";
import { presentLife } from "./readable-changes.js";

/** Lists of a revision that the store no longer has: as far back as the chronicle reaches, where it keeps the values. */
export function createPastStates(
  history: History,
  {
    authorizer,
    isEncrypted = () => false,
  }: { authorizer: Authorizer; isEncrypted?: ((key: string) => boolean) | undefined },
): PastStates {
  const rules = keptChanges(isEncrypted);
  return async ({ kind, namespace, revision, user }): Promise<readonly KeyRecord[] | undefined> => {
    const prefix = collectionPrefix(kind, "");
    if (rules.of(prefix) !== "value") return undefined;
    const chronicle = await history.chronicle();
    if (namespace !== "" && revision < (await presentLife(chronicle, namespace))) {
      const { group, version, resource } = kind;
      const of = { group, version, resource, subresource: "", namespace: "", name: "" };
      const { decision } = await authorizer({ ...of, user, verb: "list", isResource: true, path: "" });
      if (decision !== "allow") return undefined;
    }
    try {
      return await chronicle.stateAt(prefix, revision);
    } catch (err) {
      if (hasStoreReason(err, "expired")) return undefined;
      throw err;
    }
  };
}
