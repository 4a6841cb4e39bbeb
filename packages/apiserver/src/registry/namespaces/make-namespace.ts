import { storedKind } from "../../catalogue/stored-kind.js";
import type { ObjectDeps } from "../../objects/object-deps.js";
import { ensureObjects } from "../own-writes/ensure-objects.js";

/** Makes a namespace on the server's own account, and returns when readers see it. */
export async function makeNamespace(deps: ObjectDeps, name: string): Promise<void> {
  const kind = storedKind("", "namespaces");
  await ensureObjects(deps, () => kind, [{ apiVersion: "v1", kind: "Namespace", metadata: { name } }]);
  await deps.feed.reach((await deps.store.status()).revision, new AbortController().signal);
}
