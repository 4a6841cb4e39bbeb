import type { AnyKind } from "@coxswain/kinds";
import type { HandlerName } from "../../endpoints/registered-handlers.js";
import {
  handleLocalSubjectAccessReview,
  handleSelfSubjectAccessReview,
  handleSubjectAccessReview,
} from "../authorization/access-review.js";
import { handleSelfSubjectReview } from "../authorization/self-subject-review.js";
import { handleSelfSubjectRulesReview } from "../authorization/self-subject-rules-review.js";
import { handleComponentStatusGet, handleComponentStatusList } from "../component-statuses/handlers.js";
import type { RegistryHandler } from "../contract/registry-deps.js";
import { handleAccessExplanationCreate } from "../history/access/access-handler.js";
import { handleChangeGet, handleChangeList, handleChangeWatch, refuseHistoryVerb } from "../history/change-handlers.js";
import { handleExplanationCreate } from "../history/explain/explanation-handler.js";
import { historyGroup } from "../history/history-group.js";
import { handleMomentCreate } from "../history/moment-handler.js";
import { handleReconcileList, handleReconcileWatch } from "../history/reconcile-handlers.js";
import { handleBinding } from "../pods/binding.js";
import { handleEviction } from "../pods/eviction.js";
import { handleScaleGet, handleScalePatch, handleScaleUpdate } from "../scale/handlers.js";
import { handleTokenRequest } from "../service-accounts/token-request.js";
import { handleTokenReview } from "../service-accounts/token-review.js";

/** Of history.coxswain.dev; every other verb is refused. */
const historyVerbs: Readonly<Record<string, RegistryHandler>> = {
  "changes get": handleChangeGet,
  "changes list": handleChangeList,
  "changes watch": handleChangeWatch,
  "moments create": handleMomentCreate,
  "explanations create": handleExplanationCreate,
  "accessexplanations create": handleAccessExplanationCreate,
  "reconciles list": handleReconcileList,
  "reconciles watch": handleReconcileWatch,
};

/** What can be done to the scale of whatever has one. */
const scaleVerbs: Readonly<Record<string, RegistryHandler>> = {
  get: handleScaleGet,
  update: handleScaleUpdate,
  patch: handleScalePatch,
};

/** What is not done as to every other object: by group, resource, subresource and verb. */
const handlers: Readonly<Record<string, RegistryHandler>> = {
  "componentstatuses get": handleComponentStatusGet,
  "componentstatuses list": handleComponentStatusList,
  "bindings create": handleBinding,
  "pods/binding create": handleBinding,
  "pods/eviction create": handleEviction,
  ...scaleHandlers("replicationcontrollers"),
  ...scaleHandlers("apps deployments"),
  ...scaleHandlers("apps replicasets"),
  ...scaleHandlers("apps statefulsets"),
  "serviceaccounts/token create": handleTokenRequest,
  "authentication.k8s.io tokenreviews create": handleTokenReview,
  "authentication.k8s.io selfsubjectreviews create": handleSelfSubjectReview,
  "authorization.k8s.io subjectaccessreviews create": handleSubjectAccessReview,
  "authorization.k8s.io selfsubjectaccessreviews create": handleSelfSubjectAccessReview,
  "authorization.k8s.io selfsubjectrulesreviews create": handleSelfSubjectRulesReview,
  "authorization.k8s.io localsubjectaccessreviews create": handleLocalSubjectAccessReview,
};

function scaleHandlers(resource: string): Record<string, RegistryHandler> {
  return Object.fromEntries(
    Object.entries(scaleVerbs).map(([verb, handler]) => [`${resource}/scale ${verb}`, handler]),
  );
}

/** Most resources have no such handler. */
const resources = new Set(Object.keys(handlers).map((key) => /([^ /]+)(?:\/[^ ]+)? [^ ]+$/.exec(key)?.[1]));

export function specialHandler(
  { group, resource, subresource, verb }: HandlerName,
  kind: Pick<AnyKind, "scale">,
): RegistryHandler | undefined {
  if (kind.scale && subresource === "scale") return scaleVerbs[verb];
  if (group === historyGroup) return historyVerbs[`${resource} ${verb}`] ?? refuseHistoryVerb;
  if (!resources.has(resource)) return undefined;
  const path = subresource === "" ? resource : `${resource}/${subresource}`;
  const key = `${group === "" ? "" : `${group} `}${path} ${verb}`;
  return Object.hasOwn(handlers, key) ? handlers[key] : undefined;
}
