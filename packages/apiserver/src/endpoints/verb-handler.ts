import type { Soon } from "@coxswain/runtime/soon";
import type { Answer } from "../request/answer.js";
import type { RequestContext } from "../request/request-context.js";
import type { HandlerDeps } from "./handler-deps.js";
import type { Target } from "./target.js";

/** Does one verb to what the path names. */
export type VerbHandler<Deps extends HandlerDeps = HandlerDeps> = (
  deps: Deps,
  context: RequestContext,
  target: Target,
) => Soon<Answer>;
