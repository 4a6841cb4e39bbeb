import type { Deployment } from "@coxswain/api/apps/v1";
import { deleteOwn } from "@coxswain/apimachinery/own";
import type { EventType } from "@coxswain/client/events";
import type { CachedReplicaSet } from "../replica-set/replica-sets-of-owner.js";
import type { CachedDeployment } from "./deployment-strategy.js";
import { equalIgnoringHash, withoutHash } from "./find-replica-sets.js";
import { lastRevision, revisionOf, rollbackAnnotation, rollbackTarget, rolledBackAnnotations } from "./revision.js";

export interface RollbackPlan {
  /** To write: with the template of the revision, or as it is; in either case nothing is asked for any more. */
  readonly deployment: CachedDeployment;
  readonly event: { readonly type: EventType; readonly reason: string; readonly message: string };
}

/** Pure: the Deployment as it was in the revision that its annotation asks for. */
export function planRollback(deployment: CachedDeployment, all: readonly CachedReplicaSet[]): RollbackPlan {
  const asked = rollbackTarget(deployment) ?? 0;
  const revision = asked === 0n ? lastRevision(all) : asked;
  const warning = (reason: string, message: string): RollbackPlan => ({
    deployment: withoutRollback(deployment),
    event: { type: "Warning", reason, message },
  });
  if (revision === 0n) return warning("DeploymentRollbackRevisionNotFound", "Unable to find last revision.");
  const target = all.find((replicaSet) => revisionOf(replicaSet) === revision);
  if (!target) return warning("DeploymentRollbackRevisionNotFound", "Unable to find the revision to rollback to.");
  const { name } = deployment.metadata ?? {};
  if (equalIgnoringHash(deployment.spec?.template, target.spec?.template))
    return warning(
      "DeploymentRollbackTemplateUnchanged",
      `The rollback revision contains the same template as current deployment "${name}"`,
    );
  const { metadata, spec } = deployment as Deployment;
  const template = (target.spec?.template ?? {}) as NonNullable<Deployment["spec"]>["template"];
  const labels = withoutHash(template.metadata?.labels);
  return {
    deployment: withoutRollback({
      ...deployment,
      metadata: { ...metadata, annotations: rolledBackAnnotations(deployment, target) },
      spec: {
        ...(spec as NonNullable<Deployment["spec"]>),
        template: { ...template, metadata: { ...template.metadata, labels } },
      },
    }),
    event: {
      type: "Normal",
      reason: "DeploymentRollback",
      message: `Rolled back deployment "${name}" to revision ${revision}`,
    },
  };
}

function withoutRollback(deployment: CachedDeployment): CachedDeployment {
  const annotations = { ...deployment.metadata?.annotations };
  deleteOwn(annotations, rollbackAnnotation);
  return { ...deployment, metadata: { ...deployment.metadata, annotations } };
}
