import {
  conflict,
  internalError,
  objectModified,
  resourceExpired,
  type StatusError,
  tooManyRequests,
} from "@coxswain/apimachinery/status";
import type { Filter, Handler, RequestContext, WatchAnswer } from "@coxswain/apiserver";
import type { Activity } from "@coxswain/runtime/activity";
import type { Clock } from "@coxswain/runtime/clock";
import type { RandomSource } from "@coxswain/runtime/random";
import { spanMs } from "../time/time-span.js";
import {
  completeRule,
  type FaultMatch,
  type FaultRule,
  type FaultSubject,
  isUnlimited,
  matches,
} from "./fault-rule.js";
import { connectionLost } from "./lost-connection.js";

/** The faults of a cluster. */
export interface Faults {
  /** From now on; the first rule that applies counts. Answers how to take it away. */
  add(rule: FaultRule): () => void;
  /** Takes all rules away. */
  clear(): void;
  /** Ends open watches, as a restarted server does; their clients come again. Answers how many. */
  dropWatches(match?: FaultMatch): number;
  /** How often faults were injected. */
  readonly injected: number;
}

export interface FaultsOptions {
  readonly clock: Clock;
  readonly activity: Activity;
  readonly random: RandomSource;
  /** Kills the program of a user and starts it again. */
  readonly onCrash: (user: string) => void;
}

export interface InjectedFaults extends Faults {
  /** For the server: behind authorization, so that only requests that would have been carried out fail. */
  readonly filter: Filter;
}

interface OpenWatch {
  readonly subject: FaultSubject;
  stop(): void;
}

interface FaultState extends FaultsOptions {
  rules: { readonly rule: FaultRule; seen: number; done: number }[];
  injected: number;
  readonly watches: Set<OpenWatch>;
}

export function injectFaults(options: FaultsOptions): InjectedFaults {
  const state: FaultState = { ...options, rules: [], injected: 0, watches: new Set() };

  return {
    get injected() {
      return state.injected;
    },
    add(given) {
      const rule = completeRule(given);
      const entry = { rule, seen: 0, done: 0 };
      state.rules.push(entry);
      if (rule.fault === "partition" && isUnlimited(rule)) dropWatches(state, rule);
      return () => void (state.rules = state.rules.filter((other) => other !== entry));
    },
    clear: () => void (state.rules = []),
    dropWatches: (match = {}) => dropWatches(state, match),
    filter(context, next) {
      const subject = subjectOf(context);
      const rule = state.rules.length > 0 ? faultFor(state, subject) : undefined;
      return rule ? fail(state, rule, context, next, subject) : pass(state, context, next, subject);
    },
  };
}

const subjectOf = ({ info, user }: RequestContext): FaultSubject => ({
  verb: info.verb,
  group: info.group,
  resource: info.resource,
  subresource: info.subresource,
  namespace: info.namespace,
  name: info.name,
  user: user.name,
});

type Refusal = Extract<FaultRule, { fault: "conflict" | "expired" | "tooManyRequests" | "internalError" }>;

function refusal(rule: Refusal, { group, resource, name }: FaultSubject): StatusError {
  switch (rule.fault) {
    case "conflict":
      return conflict({ group, resource }, name, objectModified);
    case "expired":
      return resourceExpired("The resourceVersion for the provided watch is too old. (injected fault)");
    case "tooManyRequests":
      return tooManyRequests("too many requests (injected fault)", rule.retryAfterSeconds ?? 1);
    case "internalError":
      return internalError("injected fault");
  }
}

function faultFor(state: FaultState, subject: FaultSubject): FaultRule | undefined {
  for (const entry of state.rules) {
    const { rule } = entry;
    if (!matches(rule, subject)) continue;
    entry.seen += 1;
    if (rule.nth !== undefined && rule.nth !== entry.seen) continue;
    if (entry.done >= (rule.times ?? Number.POSITIVE_INFINITY)) continue;
    if (rule.probability !== undefined && state.random.next() >= rule.probability) continue;
    entry.done += 1;
    state.injected += 1;
    return rule;
  }
  return undefined;
}

/** Remembers a watch while it is open. */
function track({ watches }: FaultState, answer: WatchAnswer, subject: FaultSubject): WatchAnswer {
  return {
    ...answer,
    open(sink) {
      const watch: { watcher?: ReturnType<WatchAnswer["open"]> } = {};
      const entry: OpenWatch = { subject, stop: () => watch.watcher?.stop() };
      watches.add(entry);
      watch.watcher = answer.open({
        deliver: (events) => sink.deliver(events),
        bookmark: (revision, initial) => sink.bookmark(revision, initial),
        end(reason) {
          watches.delete(entry);
          sink.end(reason);
        },
      });
      return watch.watcher;
    },
  };
}

async function pass(
  state: FaultState,
  context: RequestContext,
  next: Handler,
  subject: FaultSubject,
): Promise<Awaited<ReturnType<Handler>>> {
  const answer = await next(context);
  return answer.as === "watch" && !answer.refusal ? track(state, answer, subject) : answer;
}

/** Clients in this process count their requests; one that waits for time to pass must not keep it from passing. */
async function wait({ activity, clock }: FaultState, ms: number, { request }: RequestContext): Promise<void> {
  const isCounted = request.caller.via === "process";
  if (isCounted) activity.end();
  await new Promise<void>((resolve) => void clock.setTimer(ms, resolve));
  if (isCounted) activity.begin();
}

async function fail(state: FaultState, rule: FaultRule, context: RequestContext, next: Handler, subject: FaultSubject) {
  switch (rule.fault) {
    case "delay":
      await wait(state, spanMs(rule.by), context);
      return pass(state, context, next, subject);
    case "lostAnswer":
      await next(context);
      throw connectionLost();
    case "partition":
      throw connectionLost();
    case "dropWatches":
      dropWatches(state, { user: subject.user });
      return pass(state, context, next, subject);
    case "crashBetweenWrites":
      await next(context);
      state.onCrash(subject.user);
      throw connectionLost();
    case "crash":
      if (rule.when === "after") await next(context);
      state.onCrash(subject.user);
      throw connectionLost();
    case "conflict":
    case "expired":
    case "tooManyRequests":
    case "internalError":
      throw refusal(rule, subject);
  }
}

function dropWatches({ watches }: FaultState, match: FaultMatch): number {
  const dropped = [...watches].filter(({ subject }) => matches(match, subject));
  for (const watch of dropped) watch.stop();
  return dropped.length;
}
