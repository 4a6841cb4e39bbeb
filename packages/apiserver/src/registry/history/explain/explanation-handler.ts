import { encodeJson, walk } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { badRequest, notFound } from "@coxswain/apimachinery/status";
import type { AnyKind } from "@coxswain/kinds";
import { encodedObject } from "../../../cache/encoded-object.js";
import { decodeBody } from "../../../endpoints/decode/decode-body.js";
import { readWriteOptions } from "../../../endpoints/write-options.js";
import type { ObjectAnswer } from "../../../request/answer.js";
import { describeTimes } from "../../../request/recent-requests.js";
import type { UserInfo } from "../../../request/user-info.js";
import type { RegistryDeps, RegistryHandler } from "../../contract/registry-deps.js";
import { historyOf } from "../change-handlers.js";
import { historyGroup, historyVersion } from "../history-group.js";
import { readableChanges } from "../readable-changes.js";
import { explainObject } from "./explain-object.js";
import type { ExplanationSpec, ExplanationStatus } from "./explanation.js";
import { createPastReader } from "./past-reader.js";

interface Question extends KubernetesObject {
  readonly spec?: ExplanationSpec;
}

/** A review, as SubjectAccessReviews are: nothing is stored. What the one who asks may not read is no cause. */
export const handleExplanationCreate: RegistryHandler = async (deps, context, { kind }) => {
  const options = readWriteOptions(context, "CreateOptions");
  const asked = (await decodeBody(deps, context, kind, options.fieldValidation)) as Question;
  const spec = asked.spec ?? {};
  if ((spec.object === undefined) === (spec.auditID === undefined))
    throw badRequest("spec: one of object and auditID must be given");
  if (spec.auditID !== undefined) return answer(kind, asked, await explainRequest(deps, context.user, spec.auditID));
  const chronicle = await historyOf(deps).chronicle();
  const mayRead = readableChanges({ ...deps, chronicle }, { user: context.user, verb: "get" });
  const past = createPastReader(
    { chronicle, owners: deps.keyOwners, scheduler: context.scheduler, signal: context.signal },
    mayRead,
  );
  const status = await explainObject(past, spec);
  if (!status)
    throw notFound({ group: "", resource: spec.object?.kind ?? spec.object?.resource ?? "" }, spec.object?.name ?? "");
  return answer(kind, asked, status);
};

function answer(kind: AnyKind, asked: Question, status: ExplanationStatus): ObjectAnswer {
  const object = walk({ ...asked, status }, kind.schema) as KubernetesObject;
  return { as: "object", code: 201, kind, object: encodedObject(encodeJson(object, kind.schema)) };
}

/** One's own requests, or those of all where one may `get` the resource `requests` of this group. */
async function explainRequest(deps: RegistryDeps, user: UserInfo, auditID: string): Promise<ExplanationStatus> {
  const found = deps.recentRequests?.find(auditID);
  const mayGet = async (group: string, version: string, resource: string, name = ""): Promise<boolean> => {
    const of = { group, version, resource, subresource: "", namespace: "", name };
    return (await deps.authorizer({ ...of, user, verb: "get", isResource: true, path: "" })).decision === "allow";
  };
  if (!found || (found.user !== user.name && !(await mayGet(historyGroup, historyVersion, "requests"))))
    throw notFound({ group: historyGroup, resource: "requests" }, auditID);
  const { queuedIn } = found;
  const flows = "flowcontrol.apiserver.k8s.io";
  const namesFlows =
    queuedIn !== undefined &&
    (await mayGet(flows, "v1", "flowschemas", queuedIn.flowSchema)) &&
    (await mayGet(flows, "v1", "prioritylevelconfigurations", queuedIn.priorityLevel));
  const times = describeTimes(found, { namesFlows });
  const text = `${found.verb} ${found.path} by ${found.user} was answered with ${found.code} after ${times}`;
  return { chain: [{ text }], end: "person", notes: [] };
}
