import { decodeJson, DecodeError } from "@coxswain/apimachinery/json";
import { validateDeleteOptions } from "@coxswain/apimachinery/validation";
import { badRequest, invalid, type Status } from "@coxswain/apimachinery/status";
import { builtInTypes } from "@coxswain/api/tables";
import { deleteObject } from "../objects/delete.js";
import type { DeleteOptions } from "../objects/plan-deletion.js";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { Answer } from "../server/answer.js";
import { readBody } from "./decode/read-body.js";
import type { HandlerDeps } from "./handler-deps.js";
import type { Query } from "./query.js";
import type { RequestContext } from "./request-context.js";
import type { Target } from "./target.js";
import { writeScope } from "./write-scope.js";

export async function handleDelete(deps: HandlerDeps, context: RequestContext, target: Target): Promise<Answer> {
  const options = await readDeleteOptions(deps, context);
  const scope = writeScope(context, target, { dryRun: (options.dryRun?.length ?? 0) > 0, fieldManager: "", fieldValidation: "Ignore", force: false });
  const { done, object } = await deleteObject(deps, scope, options);
  const gone = done === "removed";
  if (target.kind.returnsDeletedObject || !(gone || done === "kept")) {
    const code = !gone && options.orphanDependents === false ? 202 : 200;
    return { as: "object", code, kind: target.kind, object };
  }
  return { as: "status", status: deletedStatus(target, object.parse() as KubernetesObject) };
}

/** What a finished delete answers for most kinds: which object it was. */
function deletedStatus({ kind }: Target, { metadata }: KubernetesObject): Status {
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { name: metadata.name ?? "", ...(kind.group === "" ? {} : { group: kind.group }), kind: kind.resource, ...(metadata.uid === undefined ? {} : { uid: metadata.uid }) },
  };
}

/** From the body, or from the query when there is none. */
export async function readDeleteOptions(deps: HandlerDeps, context: RequestContext): Promise<DeleteOptions> {
  const bytes = await readBody(deps, context);
  const options = bytes.length > 0 ? fromBody(bytes) : fromQuery(context.query);
  const errors = validateDeleteOptions(options);
  if (errors.length > 0) throw invalid({ group: "meta.k8s.io", kind: "DeleteOptions" }, "", errors);
  return options;
}

function fromBody(bytes: Uint8Array): DeleteOptions {
  try {
    const { object } = decodeJson(bytes, builtInTypes.get("io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions"));
    const { kind } = object as { kind?: string };
    if (kind !== undefined && kind !== "" && kind !== "DeleteOptions") throw badRequest("decoded object cannot be converted to DeleteOptions");
    return object as DeleteOptions;
  } catch (err) {
    if (err instanceof DecodeError) throw badRequest(err.message, { cause: err });
    throw err;
  }
}

function fromQuery(query: Query): DeleteOptions {
  const grace = query.integer("gracePeriodSeconds");
  const orphan = query.flag("orphanDependents");
  const policy = query.text("propagationPolicy");
  return {
    dryRun: query.all("dryRun"),
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    ...(orphan === undefined ? {} : { orphanDependents: orphan }),
    ...(policy === "" ? {} : { propagationPolicy: policy }),
  };
}
