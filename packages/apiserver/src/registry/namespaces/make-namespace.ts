import type { ObjectDeps } from "../../objects/object-deps.js";
import { ensureObjects } from "../bootstrap.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import { noAdmission } from "../../admission/admission.js";

/** Makes a namespace on the server's own account, and returns when readers see it. */
export async function makeNamespace(deps: Omit<ObjectDeps, "admission">, name: string): Promise<void> {
  const kind = storedKind("", "namespaces");
  await ensureObjects({ ...deps, admission: noAdmission }, () => kind, [
    { apiVersion: "v1", kind: "Namespace", metadata: { name } },
  ]);
  await deps.feed.reach((await deps.store.status()).revision, new AbortController().signal);
}
