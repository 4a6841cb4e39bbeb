import type { Status, StatusDetails, StatusReason } from "./status.js";

/** The bundle and a package may both be loaded, so the mark is a registered symbol and never `instanceof`. */
const mark = Symbol.for("coxswain.StatusError");

export interface StatusFacts {
  readonly code: number;
  readonly reason: StatusReason;
  readonly message: string;
  readonly details?: StatusDetails;
  /** The list metadata of the answer: a token to go on with, where a list cannot. */
  readonly metadata?: Status["metadata"];
}

/** Anything a client may see. Made by a named constructor where the fact is known, tested by reason, never by text. */
export class StatusError extends Error {
  readonly status: Status & { readonly code: number };
  readonly [mark] = true;

  constructor(facts: StatusFacts, options?: { cause?: unknown }) {
    super(facts.message, options);
    this.name = "StatusError";
    this.status = {
      kind: "Status",
      apiVersion: "v1",
      metadata: facts.metadata ?? {},
      status: "Failure",
      ...(facts.message === "" ? {} : { message: facts.message }),
      ...(facts.reason === "" ? {} : { reason: facts.reason }),
      ...(facts.details ? { details: facts.details } : {}),
      code: facts.code,
    };
  }

  /** The HTTP status: 404. */
  get code(): number {
    return this.status.code;
  }

  /** `NotFound`; undefined where the server gave none. */
  get reason(): StatusReason | undefined {
    return this.status.reason;
  }
}

export const isStatusError = (err: unknown): err is StatusError =>
  typeof err === "object" && err !== null && mark in err;

export const hasReason = (err: unknown, reason: StatusReason): boolean =>
  isStatusError(err) && err.status.reason === reason;
