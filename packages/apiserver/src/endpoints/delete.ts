import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { forbidden, type Status } from "@coxswain/apimachinery/status";
import { resourceOf } from "../catalogue/resource-of.js";
import { deleteObject } from "../objects/delete.js";
import type { Answer } from "../request/answer.js";
import type { RequestContext } from "../request/request-context.js";
import { readDeleteOptions } from "./delete-options.js";
import type { HandlerDeps } from "./handler-deps.js";
import type { Target } from "./target.js";
import { deleteUnreadable, isUnsafe } from "./unsafe-delete.js";
import { deletionWrite } from "./write-options.js";
import { writeScope } from "./write-scope.js";

export async function handleDelete(deps: HandlerDeps, context: RequestContext, target: Target): Promise<Answer> {
  const options = await readDeleteOptions(deps, context);
  const scope = writeScope(context, target, deletionWrite(options));
  const refused = target.kind.refuseDeletion?.(target.name);
  if (refused !== undefined) throw forbidden(resourceOf(target.version ?? target.kind), target.name, refused);
  if (isUnsafe(options)) return { as: "status", status: await deleteUnreadable(deps, context, target) };
  for (const warning of target.kind.warningsOnDelete?.(options) ?? []) scope.warn(warning);
  const { done, object } = await deleteObject(deps, scope, options);
  const gone = done === "removed";
  if (target.kind.returnsDeletedObject || !(gone || done === "kept")) {
    const code = !gone && options.orphanDependents === false ? 202 : 200;
    return { as: "object", code, kind: target.kind, object };
  }
  return { as: "status", status: deletedStatus(target, object.parse() as KubernetesObject) };
}

/** What a finished delete answers for most kinds: which object it was. */
function deletedStatus({ kind, version }: Target, { metadata }: KubernetesObject): Status {
  const { group, resource } = version ?? kind;
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: {
      name: metadata.name ?? "",
      ...(group === "" ? {} : { group }),
      kind: resource,
      ...(metadata.uid === undefined ? {} : { uid: metadata.uid }),
    },
  };
}
