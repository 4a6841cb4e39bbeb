import { cloneJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { getOwn } from "@coxswain/apimachinery/own";
import type { Logger } from "@coxswain/runtime/log";
import { noAdmission } from "../../admission/admission.js";
import { lastUsedLabel } from "../../authentication/legacy-tokens.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import type { ObjectDeps } from "../../objects/object-deps.js";
import { serverScope } from "../../objects/server-scope.js";
import { updateObject } from "../../objects/update.js";

const dayMs = 24 * 3600 * 1000;
const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** Labels a secret with the day of its token's last use, once a day. Never rejects: a token is not worse for a label that was not written. */
export async function noteTokenUse(deps: ObjectDeps, log: Logger, secret: KubernetesObject): Promise<void> {
  const now = deps.runtime.clock.now();
  const lastUsed = getOwn(secret.metadata.labels, lastUsedLabel);
  // Another server's clock may be ahead.
  if (lastUsed === dayOf(now) || lastUsed === dayOf(now + dayMs)) return;
  const { namespace = "", name = "", uid = "" } = secret.metadata;
  try {
    await updateObject(
      { ...deps, admission: noAdmission },
      serverScope(storedKind("", "secrets"), { namespace, name }),
      {
        preconditions: { uid },
        next(current) {
          const next = cloneJson(current) as KubernetesObject;
          next.metadata.labels = { ...next.metadata.labels, [lastUsedLabel]: dayOf(now) };
          return Promise.resolve(next);
        },
      },
    );
  } catch (error) {
    log.warn("a service account token's last use was not noted", { namespace, name, error });
  }
}
