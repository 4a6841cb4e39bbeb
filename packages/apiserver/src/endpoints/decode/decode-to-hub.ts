import { encodeJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { Soon } from "@coxswain/runtime/soon";
import type { VersionKind } from "../../catalogue/version-kind.js";
import type { RequestContext } from "../../request/request-context.js";
import type { HandlerDeps } from "../handler-deps.js";
import type { Target } from "../target.js";
import type { FieldValidation } from "../write-options.js";
import { decodeBody } from "./decode-body.js";

/** The object a client sent in whichever version it uses, as the hub has it. */
export function decodeToHub(
  deps: HandlerDeps,
  context: RequestContext,
  { kind, version }: Target,
  validation: FieldValidation,
): Soon<KubernetesObject> {
  return version ? decodeVersion(deps, context, version, validation) : decodeBody(deps, context, kind, validation);
}

async function decodeVersion(
  deps: HandlerDeps,
  context: RequestContext,
  version: VersionKind,
  validation: FieldValidation,
): Promise<KubernetesObject> {
  const object = await decodeBody(deps, context, version, validation);
  const hub = version.toHub(object);
  // The audit log has the hub as the client's version shows it: a default of the hub is in it.
  context.audit?.request(hub, () => new TextDecoder().decode(encodeJson(version.fromHub(hub), version.schema)));
  return hub;
}
