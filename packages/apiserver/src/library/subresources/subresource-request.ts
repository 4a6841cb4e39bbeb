import type { DeepReadonly } from "@coxswain/api";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { internalError } from "@coxswain/apimachinery/status";
import type { HandlerDeps } from "../../endpoints/handler-deps.js";
import type { Target } from "../../endpoints/target.js";
import type { VerbHandler } from "../../endpoints/verb-handler.js";
import type { RequestContext } from "../../request/request-context.js";
import type { SubresourceRequest } from "./own-subresource.js";

/** `read`: how the object itself is read. */
export function subresourceRequest<T extends KubernetesObject>(
  read: VerbHandler,
  deps: HandlerDeps,
  context: RequestContext,
  target: Target,
): SubresourceRequest<T> {
  const { query, user, signal } = context;
  return {
    namespace: target.namespace,
    name: target.name,
    user,
    signal,
    dryRun: query.all("dryRun").includes("All"),
    query: (name) => query.text(name),
    warn: (text) => context.warn(text),
    async object() {
      const answer = await read(deps, context, target);
      if (answer.as === "object") return answer.object.parse() as DeepReadonly<T>;
      throw internalError("the object cannot be read");
    },
  };
}
