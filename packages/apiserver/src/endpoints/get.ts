import { badRequest, notFound } from "@coxswain/apimachinery/status";
import type { Soon } from "@coxswain/runtime/soon";
import { bytesOf } from "../cache/cache-entry.js";
import { encodedObject } from "../cache/encoded-object.js";
import { objectKey } from "../cache/object-key.js";
import { unreadableObjectError } from "../cache/read-errors.js";
import { resourceOf } from "../catalogue/resource-of.js";
import type { ObjectAnswer } from "../request/answer.js";
import type { RequestContext } from "../request/request-context.js";
import type { HandlerDeps } from "./handler-deps.js";
import { parseRevision, waitForLatest, waitForRevision } from "./resource-version.js";
import type { Target } from "./target.js";

export function handleGet(deps: HandlerDeps, context: RequestContext, target: Target): Soon<ObjectAnswer> {
  if (context.query.flag("export") === true)
    throw badRequest("the export parameter, deprecated since v1.14, is no longer supported");
  const revision = context.query.text("resourceVersion");
  const waiting =
    revision === "" ? waitForLatest(deps, context) : waitForRevision(deps, parseRevision(revision), context);
  return waiting instanceof Promise ? answerLater(waiting, deps, target) : answerOf(deps, target);
}

async function answerLater(waiting: Promise<void>, deps: HandlerDeps, target: Target): Promise<ObjectAnswer> {
  await waiting;
  return answerOf(deps, target);
}

function answerOf(deps: HandlerDeps, { kind, version, namespace, name }: Target): ObjectAnswer {
  const cache = deps.feed.cacheOf(kind);
  const key = objectKey(kind, namespace, name);
  const unreadable = cache.unreadable.get(key);
  if (unreadable) throw unreadableObjectError(unreadable, deps.gates);
  const entry = cache.get(key);
  if (!entry) throw notFound(resourceOf(version ?? kind), name);
  return { as: "object", code: 200, kind, object: encodedObject(bytesOf(entry)) };
}
