import { builtInTypes } from "@coxswain/api/tables";
import { DecodeError } from "@coxswain/apimachinery/json";
import { groupVersionError, parseGroupVersion } from "@coxswain/apimachinery/meta";
import { negotiateInput } from "@coxswain/apimachinery/negotiation";
import { badRequest, invalid } from "@coxswain/apimachinery/status";
import { validateDeleteOptions } from "@coxswain/apimachinery/validation";
import { runSteps, type Steps } from "@coxswain/runtime/steps";
import type { DeleteOptions } from "../objects/plan-deletion.js";
import type { Query } from "../request/query.js";
import type { RequestContext } from "../request/request-context.js";
import { versionedTypeName } from "./decode/go-type.js";
import { openBody } from "./decode/open-body.js";
import { readBody } from "./decode/read-body.js";
import { notRegistered } from "./decode/registered-kinds.js";
import type { SentBody } from "./decode/sent-body.js";
import type { HandlerDeps } from "./handler-deps.js";
import { dropUnsafe } from "./unsafe-delete.js";

/** From the body, or from the query when there is none. Throws 400 for what cannot be read and 422 for what means nothing. */
export async function readDeleteOptions(deps: HandlerDeps, context: RequestContext): Promise<DeleteOptions> {
  const bytes = await readBody(deps, context);
  const sent = bytes.length > 0 ? await fromBody(bytes, context) : fromQuery(context.query);
  const options = dropUnsafe(sent, deps.gates);
  checkDeleteOptions(options);
  return options;
}

/** Throws 422 for what means nothing. */
export function checkDeleteOptions(options: DeleteOptions): void {
  const errors = validateDeleteOptions(options);
  if (errors.length > 0) throw invalid({ group: "meta.k8s.io", kind: "DeleteOptions" }, "", errors);
}

/** Upstream's log has them in the form that is its own, whichever version they came in. */
const auditedTypeMeta = { kind: "DeleteOptions", apiVersion: "meta.k8s.io/__internal" };

async function fromBody(bytes: Uint8Array, context: RequestContext): Promise<DeleteOptions> {
  const { request, audit } = context;
  const form = request.body.as === "bytes" ? negotiateInput(request.header("content-type")) : "application/json";
  try {
    const body = await openBody(form, bytes, context);
    const options = await runSteps(context.scheduler, decodeOptions(body), context);
    audit?.options({ ...auditedTypeMeta, ...options, ...auditedTypeMeta });
    return options;
  } catch (err) {
    if (err instanceof DecodeError) throw badRequest(err.message, { cause: err });
    throw err;
  }
}

/** Kinds beside DeleteOptions that are known here: some in any version, the others in their own. */
const unversioned = new Set([
  "APIGroup",
  "APIGroupList",
  "APIResourceList",
  "APIVersions",
  "CreateOptions",
  "Status",
  "UpdateOptions",
]);
const ofMeta = new Set([
  "GetOptions",
  "ListOptions",
  "PartialObjectMetadata",
  "PartialObjectMetadataList",
  "PatchOptions",
  "Table",
  "TableOptions",
  "WatchEvent",
]);
const scheme = "pkg/apis/meta/internalversion/scheme/register.go:27";

/** Every group-version has its DeleteOptions, and all are the same. */
function* decodeOptions(body: SentBody): Steps<DeleteOptions> {
  yield* body.checkHead();
  const sentVersion = parseGroupVersion(body.apiVersion);
  if (!sentVersion) throw new DecodeError(groupVersionError(body.apiVersion));
  if (body.kind !== "" && body.kind !== "DeleteOptions") {
    const known =
      unversioned.has(body.kind) ||
      (sentVersion.group === "meta.k8s.io" && sentVersion.version === "v1" && ofMeta.has(body.kind));
    const why = `converting (${versionedTypeName({ version: "v1" }, body.kind)}) to (v1.DeleteOptions): unknown conversion`;
    throw new DecodeError(known ? why : notRegistered({ ...sentVersion, kind: body.kind }, scheme));
  }
  const node = builtInTypes.get("io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions");
  return (yield* body.decode(node, {})).object as DeleteOptions;
}

function fromQuery(query: Query): DeleteOptions {
  const grace = query.integer("gracePeriodSeconds");
  const orphan = query.flag("orphanDependents");
  const unsafe = query.flag("ignoreStoreReadErrorWithClusterBreakingPotential");
  const uid = query.text("uid");
  const resourceVersion = query.text("resourceVersion");
  return {
    dryRun: query.all("dryRun"),
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    ...(orphan === undefined ? {} : { orphanDependents: orphan }),
    ...(unsafe === undefined ? {} : { ignoreStoreReadErrorWithClusterBreakingPotential: unsafe }),
    ...(query.has("propagationPolicy") ? { propagationPolicy: query.text("propagationPolicy") } : {}),
    ...(uid === "" && resourceVersion === ""
      ? {}
      : { preconditions: { ...(uid === "" ? {} : { uid }), ...(resourceVersion === "" ? {} : { resourceVersion }) } }),
  };
}
