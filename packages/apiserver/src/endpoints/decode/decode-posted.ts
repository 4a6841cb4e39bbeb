import { walk } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";
import { matchNamespace, wipeSystemMetadata } from "../../objects/metadata.js";
import { dropRepeatedOwners } from "../../objects/repeated-owners.js";
import type { RequestContext } from "../../request/request-context.js";
import type { HandlerDeps } from "../handler-deps.js";
import type { FieldValidation } from "../write-options.js";
import { decodeBody } from "./decode-body.js";

export interface PostedOptions {
  readonly kind: AnyKind;
  /** Of the request; "" for none. */
  readonly namespace: string;
  readonly validation: FieldValidation;
  /** Whether a uid and the like mean something here: the object that they identify. @default false: they are dropped */
  readonly speaksOfAnother?: boolean;
}

/** What was posted, where it is answered and not kept: a review, a binding. Its metadata is treated as that of any new object. */
export async function decodePosted(
  deps: HandlerDeps,
  context: RequestContext,
  { kind, namespace, validation, speaksOfAnother = false }: PostedOptions,
): Promise<KubernetesObject> {
  const object = await decodeBody(deps, context, kind, validation);
  if (!speaksOfAnother) wipeSystemMetadata(object.metadata);
  matchNamespace(object.metadata, namespace);
  const warning = dropRepeatedOwners(object.metadata, "before admission");
  if (warning !== undefined) context.warnings.push(warning);
  return walk(object, kind.schema) as KubernetesObject;
}
