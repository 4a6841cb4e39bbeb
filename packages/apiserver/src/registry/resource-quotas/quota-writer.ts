import { writeAmounts } from "@coxswain/api/quota";
import { cloneJson } from "@coxswain/apimachinery/json";
import { conflict, hasReason, objectModified, StatusError } from "@coxswain/apimachinery/status";
import type { Quota } from "../../admission/resource-quota/check-request.js";
import type { QuotaWriter } from "../../admission/resource-quota/quota-writer.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import type { ObjectDeps } from "../../objects/object-deps.js";
import { serverScope } from "../../objects/server-scope.js";
import { updateObject } from "../../objects/update.js";

export function createQuotaWriter(deps: ObjectDeps): QuotaWriter {
  const kind = storedKind("", "resourcequotas");
  const seen = (revision: string | undefined): Promise<void> =>
    deps.feed.reach(Number(revision ?? 0), new AbortController().signal);
  return {
    async write({ metadata: { namespace = "", name = "", uid, resourceVersion } }, used) {
      const scope = { ...serverScope(kind, { namespace, name, view: "status" }), verb: "update" };
      let current: string | undefined;
      try {
        const written = await updateObject(deps, scope, {
          next(found) {
            current = found?.metadata.resourceVersion;
            if (!found || current !== resourceVersion || found.metadata.uid !== uid)
              throw conflict({ group: "", resource: "resourcequotas" }, name, objectModified);
            const next = cloneJson(found) as typeof found & { status?: object };
            next.status = { ...next.status, used: writeAmounts(used) };
            return Promise.resolve(next);
          },
        });
        await seen((written.object.parse() as Quota).metadata.resourceVersion);
        return undefined;
      } catch (err) {
        if (!hasReason(err, "Conflict") && !hasReason(err, "NotFound")) throw err;
        await seen(current);
        return err as StatusError;
      }
    },
  };
}
