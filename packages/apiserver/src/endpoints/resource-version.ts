import { fieldErrorText } from "@coxswain/apimachinery/field";
import { parseResourceVersion } from "@coxswain/apimachinery/resource-version";
import { badRequest, StatusError, tooLargeResourceVersion } from "@coxswain/apimachinery/status";
import type { Soon } from "@coxswain/runtime/soon";
import type { RequestContext } from "../request/request-context.js";
import type { HandlerDeps } from "./handler-deps.js";

/** A client's resourceVersion as a number; 0 when it names none. What is not one is a 500 upstream, where only lists check it. */
export function parseRevision(text: string): number {
  const { revision, error } = parseResourceVersion(text);
  if (error) throw new StatusError({ code: 500, reason: "", message: fieldErrorText(error) });
  return revision;
}

/** The same for a list, with 400 for what is not one. */
export function parseListRevision(text: string): number {
  const { revision, error } = parseResourceVersion(text);
  if (error) throw badRequest(`invalid resource version: ${fieldErrorText(error)}`);
  return revision;
}

/** How long a reader waits for a revision that is not there yet. */
const maxWaitMs = 3000;

/** Waits until the cache holds `revision`; one that does not come in time is answered with 504, as a mistake of the client's. */
export function waitForRevision(
  deps: HandlerDeps,
  revision: number,
  context: Pick<RequestContext, "signal">,
): Soon<void> {
  if (deps.feed.revision() < revision) return reach(deps, revision, context.signal);
}

async function reach(deps: HandlerDeps, revision: number, signal: AbortSignal): Promise<void> {
  const given = new AbortController();
  const giveUp = (): void => given.abort();
  const timer = deps.runtime.clock.setTimer(maxWaitMs, giveUp);
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    await deps.feed.reach(revision, given.signal);
  } catch (err) {
    if (signal.aborted) throw err;
    throw tooLargeResourceVersion(revision, deps.feed.revision(), 1);
  } finally {
    timer.cancel();
    signal.removeEventListener("abort", giveUp);
  }
}

/** Waits until the cache holds every write that was acknowledged before now, by whichever server. */
export function waitForLatest(deps: HandlerDeps, context: Pick<RequestContext, "signal">): Soon<void> {
  const revision = deps.store.readRevision();
  return revision instanceof Promise ? waitForLater(revision, deps, context) : waitForRevision(deps, revision, context);
}

const waitForLater = async (
  revision: Promise<number>,
  deps: HandlerDeps,
  context: Pick<RequestContext, "signal">,
): Promise<void> => waitForRevision(deps, await revision, context);
