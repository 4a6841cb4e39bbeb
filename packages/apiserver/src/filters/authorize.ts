import { forbidden, StatusError } from "@coxswain/apimachinery/status";
import type { Soon } from "@coxswain/runtime/soon";
import type { Attributes, Authorizer, Decision } from "../authorization/attributes.js";
import { forbiddenError } from "../authorization/forbidden-error.js";
import { attributesOf } from "../authorization/request-attributes.js";
import { type Answer, refusalAnswer } from "../request/answer.js";
import type { Filter, Handler } from "../request/filter.js";
import type { RequestContext } from "../request/request-context.js";
import type { AccessMetrics } from "./access-metrics.js";
import { internalErrorAnswer } from "./internal-error-answer.js";

export interface AuthorizeOptions {
  /** Whether who opens a stream into a pod by GET needs the right to create it, too, as by POST. */
  readonly streamsNeedCreate: boolean;
  readonly metrics: AccessMetrics;
}

export function authorize(authorizer: Authorizer, { streamsNeedCreate, metrics }: AuthorizeOptions): Filter {
  const goOn = (answer: Decision, attributes: Attributes, context: RequestContext, next: Handler): Soon<Answer> => {
    const { decision, reason, error } = answer;
    if (context.audit) note(context, answer);
    if (decision === "allow")
      return streamsNeedCreate && opensStream(attributes)
        ? createToo(authorizer, context, attributes, next)
        : next(context);
    // No authorizer allowed it; an error of one of them is reported.
    return error === undefined
      ? refusalAnswer(forbiddenError(attributes, reason))
      : internalErrorAnswer(context, error);
  };
  const goOnLater = async (
    answer: Promise<Decision>,
    attributes: Attributes,
    context: RequestContext,
    next: Handler,
    began: number,
  ): Promise<Answer> => {
    const decision = await answer;
    metrics.authorized(resultOf(decision), metrics.now() - began);
    return goOn(decision, attributes, context, next);
  };
  return (context, next) => {
    const attributes = attributesOf(context);
    const began = metrics.now();
    const answer = authorizer(attributes);
    if (answer instanceof Promise) return goOnLater(answer, attributes, context, next, began);
    metrics.authorized(resultOf(answer), metrics.now() - began);
    return goOn(answer, attributes, context, next);
  };
}

/** An error counts where nobody allows. */
function resultOf({ decision, error }: Decision): Parameters<AccessMetrics["authorized"]>[0] {
  if (decision === "allow") return "allowed";
  if (error !== undefined) return "error";
  return decision === "deny" ? "denied" : "no-opinion";
}

function note(context: RequestContext, { decision, reason, error }: Decision): void {
  const isDecided = decision === "allow" || error === undefined;
  if (isDecided) context.annotate("authorization.k8s.io/decision", decision === "allow" ? "allow" : "forbid");
  context.annotate("authorization.k8s.io/reason", isDecided ? reason : "internal error");
}

const streams = new Set(["exec", "attach", "portforward"]);

const opensStream = ({ isResource, group, resource, subresource, verb }: Attributes): boolean =>
  isResource && verb === "get" && group === "" && resource === "pods" && streams.has(subresource);

async function createToo(
  authorizer: Authorizer,
  context: RequestContext,
  attributes: Attributes,
  next: Handler,
): Promise<Answer> {
  const { decision, reason, error } = await authorizer({ ...attributes, verb: "create" });
  if (error !== undefined) throw new StatusError({ code: 500, reason: "", message: error });
  if (decision === "allow") return next(context);
  throw forbidden({ group: attributes.group, resource: attributes.resource }, attributes.name, reason);
}
