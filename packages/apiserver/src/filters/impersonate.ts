import { isStatusError } from "@coxswain/apimachinery/status";
import type { Attributes, Authorizer } from "../authorization/attributes.js";
import { attributesOf } from "../authorization/request-attributes.js";
import { type Answer, refusalAnswer } from "../request/answer.js";
import type { Filter, Handler } from "../request/filter.js";
import type { RequestContext } from "../request/request-context.js";
import type { UserInfo } from "../request/user-info.js";
import { type ImpersonationMode, impersonationModes, legacyMode } from "./impersonate-modes.js";
import type { ImpersonationMetrics } from "./impersonation-metrics.js";
import { type ImpersonationRequest, readImpersonation } from "./impersonation-request.js";

export interface ImpersonateOptions {
  /** Whether the newer, constrained modes are tried before the old one. */
  readonly constrained: boolean;
  /** Undefined: nothing is counted. */
  readonly metrics?: ImpersonationMetrics;
}

/** How many users' last mode is kept in mind. */
const remembered = 10_000;

/** A request may ask to be taken for somebody else's (`kubectl --as`), if its user may impersonate each thing that it names. */
export function impersonate(asker: Authorizer, { constrained, metrics }: ImpersonateOptions): Filter {
  const authorizer = metrics ? metrics.counting(asker) : asker;
  const modes = constrained ? impersonationModes(authorizer) : [legacyMode(authorizer)];
  const lastMode = new Map<string, ImpersonationMode>();

  /** A client mostly impersonates in one way: that is tried first, and its refusal is the one that is reported. */
  async function become(
    requested: ImpersonationRequest,
    asked: Attributes,
  ): Promise<{ user: UserInfo; constraint: string }> {
    const last = lastMode.get(asked.user.name);
    let refusal: unknown;
    for (const mode of last ? [last, ...modes.filter((each) => each !== last)] : modes) {
      const found = await mode.become(requested, asked);
      if (found === undefined) continue;
      if (isStatusError(found)) {
        refusal ??= found;
        continue;
      }
      lastMode.delete(asked.user.name);
      lastMode.set(asked.user.name, mode);
      if (lastMode.size > remembered) lastMode.delete(lastMode.keys().next().value as string);
      return { user: found, constraint: mode.constraint };
    }
    throw refusal;
  }

  async function measured(attempt: () => ReturnType<typeof become>): ReturnType<typeof become> {
    if (!metrics) return attempt();
    const began = metrics.now();
    let constraint: string | undefined;
    try {
      const found = await attempt();
      constraint = found.constraint;
      return found;
    } finally {
      metrics.attempted(constraint, metrics.now() - began);
    }
  }

  async function asSomebodyElse(
    requested: ImpersonationRequest,
    context: RequestContext,
    next: Handler,
  ): Promise<Answer> {
    try {
      const { user, constraint } = await measured(() => become(requested, attributesOf(context)));
      context.user = user;
      context.audit?.impersonated(user, constraint);
    } catch (err) {
      if (isStatusError(err)) return refusalAnswer(err);
      throw err;
    }
    return next(context);
  }

  return (context, next) => {
    let requested: ImpersonationRequest | undefined;
    try {
      requested = readImpersonation(context.request);
    } catch (err) {
      if (isStatusError(err)) return refusalAnswer(err);
      throw err;
    }
    return requested ? asSomebodyElse(requested, context, next) : next(context);
  };
}
