import {
  badRequest,
  gone,
  internalError,
  resourceExpired,
  StatusError,
  tooLargeResourceVersion,
  tooManyRequests,
  unauthorized,
} from "@coxswain/apimachinery/status";
import { describe, expect, it } from "vitest";
import { type Failure, recover, ShortWatchError, WentBackwardsError } from "./reflector-recovery.js";

const expired = resourceExpired("too old");
const future = tooLargeResourceVersion(9, 5, 1);
const refused = new Error("ECONNREFUSED");

describe("after a failure a reflector", () => {
  const cases: { name: string; failure: Partial<Failure> & Pick<Failure, "during" | "error">; outcome: string }[] = [
    {
      name: "streams the newest state at once when its version expired",
      failure: { during: "streaming", error: expired, pinned: true },
      outcome: "streaming at once, any version",
    },
    {
      name: "backs off when the server answers expired to a request for the newest state",
      failure: { during: "streaming", error: expired },
      outcome: "start later, any version",
    },
    {
      name: "lists at once when the server cannot stream the first state",
      failure: { during: "streaming", error: badRequest("sendInitialEvents is forbidden") },
      outcome: "listing at once",
    },
    {
      name: "waits when nobody answers a stream",
      failure: { during: "streaming", error: refused },
      outcome: "start later",
    },
    {
      name: "lists when streams fail again and again without an answer",
      failure: { during: "streaming", error: refused, consecutive: 2 },
      outcome: "listing at once",
    },
    {
      name: "lists when the first state broke off",
      failure: { during: "streaming", error: refused, opened: true },
      outcome: "listing at once",
    },
    {
      name: "waits as long as the server asks",
      failure: { during: "streaming", error: tooManyRequests("no", 7) },
      outcome: "start later, after 7000",
    },
    {
      name: "lists the newest at once when the version is in the future",
      failure: { during: "listing", error: future, pinned: true },
      outcome: "listing at once, any version",
    },
    {
      name: "tries a failed list again later",
      failure: { during: "listing", error: internalError("no") },
      outcome: "start later",
    },
    {
      name: "lists again when a watch expired, not older than what it has",
      failure: { during: "watching", error: expired },
      outcome: "start later",
    },
    {
      name: "takes 410 of old servers for expired",
      failure: { during: "watching", error: gone("too old") },
      outcome: "start later",
    },
    {
      name: "forgets its version when the server is behind it",
      failure: { during: "watching", error: new WentBackwardsError("9", "5") },
      outcome: "start later, any version",
    },
    {
      name: "resumes a watch that broke",
      failure: { during: "watching", error: refused },
      outcome: "watching later",
    },
    {
      name: "resumes a watch after 401: the token may be renewed",
      failure: { during: "watching", error: unauthorized() },
      outcome: "watching later",
    },
    {
      name: "lists after three failed watches in a row",
      failure: { during: "watching", error: new ShortWatchError(), consecutive: 3 },
      outcome: "start later",
    },
    {
      name: "goes on watching through 429, however often",
      failure: { during: "watching", error: tooManyRequests("no", 1), consecutive: 30 },
      outcome: "watching later, after 1000",
    },
    {
      name: "reads a too large version out of an old server's message",
      failure: {
        during: "listing",
        pinned: true,
        error: new StatusError({ code: 504, reason: "Timeout", message: "Too large resource version: 9, current: 5" }),
      },
      outcome: "listing at once, any version",
    },
  ];
  for (const { name, failure, outcome } of cases)
    it(name, () => {
      const { next, forgetVersion, backOff, atLeastMs } = recover({
        opened: false,
        pinned: false,
        consecutive: 1,
        ...failure,
      });
      const words = `${next} ${backOff ? "later" : "at once"}${forgetVersion ? ", any version" : ""}`;
      expect(words + (atLeastMs > 0 && !forgetVersion ? `, after ${atLeastMs}` : "")).toBe(outcome);
    });
});
