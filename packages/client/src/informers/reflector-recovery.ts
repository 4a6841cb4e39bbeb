import {
  isGone,
  isResourceExpired,
  isStatusError,
  isTooLargeResourceVersion,
  isTooManyRequests,
  statusErrorOf,
  suggestedDelaySeconds,
} from "@coxswain/apimachinery/status";
import { DeadlineError } from "../deadline/index.js";

/** What a reflector does, apart from waiting. */
export type ReflectorTask = "streaming" | "listing" | "watching";

/** The server sent something older than what it had sent before: its storage was restored from a backup. */
export class WentBackwardsError extends Error {
  constructor(seen: string, now: string) {
    super(`the server went back from resourceVersion ${seen} to ${now}`);
    this.name = "WentBackwardsError";
  }
}

/** A watch ended at once, without an event: the server, or something on the way to it, ends watches without an error. */
export class ShortWatchError extends Error {
  constructor() {
    super("the watch ended within a second and without an event");
    this.name = "ShortWatchError";
  }
}

export interface Failure {
  readonly during: ReflectorTask;
  readonly error: unknown;
  /** The server had accepted the watch. */
  readonly opened: boolean;
  /** The request named a resourceVersion (rather than asking for the newest state). */
  readonly pinned: boolean;
  /** Failures since the server last sent anything useful, this one included. */
  readonly consecutive: number;
}

export interface Recovery {
  readonly next: "start" | ReflectorTask;
  /** Ask for the newest state rather than for one not older than what was seen. */
  readonly forgetVersion: boolean;
  readonly backOff: boolean;
  /** What the server asks for (Retry-After), in milliseconds. */
  readonly atLeastMs: number;
}

/** After so many failed watches in a row the reflector lists again: perhaps one event cannot be read. */
const watchFailuresBeforeList = 3;

/** Pure: what to do after a failure. There is always a next task: a reflector never gives up. */
export function recover({ during, error, opened, pinned, consecutive }: Failure): Recovery {
  const atLeastMs = (suggestedDelaySeconds(error) ?? 0) * 1000;
  const expired = isExpired(error);
  const future = isTooLarge(error) || error instanceof WentBackwardsError;
  const later = (next: Recovery["next"], forgetVersion = false): Recovery => ({
    next,
    forgetVersion,
    backOff: true,
    atLeastMs,
  });
  switch (during) {
    case "streaming":
      // Asking for the newest state cannot expire; a server that answers so is asked again, but only after a back-off.
      if (expired || future) return pinned ? atOnce("streaming", true) : later("start", true);
      if (isTooManyRequests(error)) return later("start");
      // No answer at all: the server is down, and a list would fail as well.
      if (!opened && consecutive === 1 && statusErrorOf(error) === undefined && !(error instanceof DeadlineError))
        return later("start");
      // It may be a server without WatchList, or a proxy that does not let streams through.
      return atOnce("listing");
    case "listing":
      if (expired || future) return pinned ? atOnce("listing", true) : later("start", true);
      return later("start");
    case "watching":
      if (future) return later("start", true);
      if (expired) return later("start");
      if (isTooManyRequests(error)) return later("watching");
      return later(consecutive < watchFailuresBeforeList ? "watching" : "start");
  }
}

const atOnce = (next: ReflectorTask, forgetVersion = false): Recovery => ({
  next,
  forgetVersion,
  backOff: false,
  atLeastMs: 0,
});

const isExpired = (error: unknown): boolean =>
  isResourceExpired(error) || isGone(error) || (isStatusError(error) && error.status.code === 410);

/** Servers before 1.19 name it only in the message. */
const isTooLarge = (error: unknown): boolean =>
  isTooLargeResourceVersion(error) || (statusErrorOf(error)?.message.includes("Too large resource version") ?? false);
