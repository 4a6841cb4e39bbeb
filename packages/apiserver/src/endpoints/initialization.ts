import type { Initialized, Initializers } from "@coxswain/api/initializers";
import { internalError, StatusError } from "@coxswain/apimachinery/status";
import { bytesOf } from "../cache/cache-entry.js";
import { type EncodedObject, encodedObject } from "../cache/encoded-object.js";
import { everything } from "../cache/selection.js";
import { deleteObject } from "../objects/delete.js";
import type { Answer, ObjectAnswer } from "../request/answer.js";
import type { RequestContext } from "../request/request-context.js";
import type { HandlerDeps } from "./handler-deps.js";
import type { Target } from "./target.js";
import type { WriteOptions } from "./write-options.js";
import { writeScope } from "./write-scope.js";

const initializersOf = (object: EncodedObject): Initializers | undefined =>
  (object.parse() as Initialized).metadata.initializers;

/** A create is answered when the object is initialized, unless the client asks otherwise; one whose initialization failed is refused with the result. */
export async function afterCreate(
  deps: HandlerDeps,
  context: RequestContext,
  target: Target,
  answer: ObjectAnswer,
): Promise<Answer> {
  if (!deps.gates.enabled("Initializers") || context.query.flag("includeUninitialized") === true) return answer;
  const initializers = initializersOf(answer.object);
  if (!initializers) return answer;
  if (initializers.result) throw failureOf(initializers);
  return { ...answer, object: await untilInitialized(deps, context, target, answer.object) };
}

/** What was created waits as after a create. An object whose initialization failed is deleted, so that everybody sees it go. */
export async function afterUpdate(
  deps: HandlerDeps,
  context: RequestContext,
  target: Target,
  options: WriteOptions,
  answer: ObjectAnswer,
): Promise<Answer> {
  if (!deps.gates.enabled("Initializers") || target.view !== "") return answer;
  if (answer.code === 201) return options.dryRun ? answer : afterCreate(deps, context, target, answer);
  if (!initializersOf(answer.object)?.result) return answer;
  const { object } = await deleteObject(deps, writeScope(context, target, options), {});
  return { ...answer, object };
}

function untilInitialized(
  deps: HandlerDeps,
  context: RequestContext,
  { kind }: Target,
  created: EncodedObject,
): Promise<EncodedObject> {
  const { metadata } = created.parse() as Initialized;
  const { name = "", namespace = "", resourceVersion = "" } = metadata;
  return new Promise((resolve, reject) => {
    const settle = (done: () => void): void => {
      context.signal.removeEventListener("abort", abandon);
      queueMicrotask(() => watcher?.stop()); // it may be being opened
      done();
    };
    const abandon = (): void => settle(() => reject(context.signal.reason as Error));
    const watcher = deps.feed.cacheOf(kind).watch(
      { ...everything, namespace, name, id: `${namespace}/${name}` },
      { after: Number(resourceVersion) },
      {
        deliver(deliveries) {
          for (const { type, entry } of deliveries) {
            const object = encodedObject(bytesOf(entry));
            const initializers = initializersOf(object);
            if (initializers?.result) settle(() => reject(failureOf(initializers)));
            else if (type === "DELETED")
              settle(() => reject(internalError("object deleted while waiting for creation")));
            else if (!initializers) settle(() => resolve(object));
          }
          return undefined;
        },
        bookmark: () => {},
        end: () => reject(internalError("the server stopped waiting for the initialization")),
      },
    );
    context.signal.addEventListener("abort", abandon, { once: true });
  });
}

function failureOf({ result }: Initializers): StatusError {
  const { code = 500, reason = "", message = "", details } = result ?? {};
  return new StatusError({ code, reason, message, ...(details && { details }) });
}
