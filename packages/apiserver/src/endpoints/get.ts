import { notFound } from "@coxswain/apimachinery/status";
import { resourceOf } from "../admission/admission.js";
import { bytesOf } from "../cache/cache-entry.js";
import { encodedObject } from "../objects/encoded-object.js";
import { objectKey } from "../objects/object-key.js";
import type { ObjectAnswer } from "../server/answer.js";
import type { HandlerDeps } from "./handler-deps.js";
import type { RequestContext } from "./request-context.js";
import { parseRevision, waitForLatest, waitForRevision } from "./resource-version.js";
import type { Target } from "./target.js";

export async function handleGet(deps: HandlerDeps, context: RequestContext, { kind, version, namespace, name }: Target): Promise<ObjectAnswer> {
  const revision = context.query.text("resourceVersion");
  if (revision === "") await waitForLatest(deps, context);
  else await waitForRevision(deps, parseRevision(revision), context);
  const entry = deps.feed.cacheOf(kind).get(objectKey(kind, namespace, name));
  if (!entry) throw notFound(resourceOf(version ?? kind), name);
  return { as: "object", code: 200, kind, object: encodedObject(bytesOf(entry)) };
}
