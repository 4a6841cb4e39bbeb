import { StatusError } from "@coxswain/apimachinery/status";

const name = "StaleSourceError";

/**
 * A write was not sent, because it was computed from an older source than what it would replace. To controllers it is a conflict: the
 * request comes again, and at once when the cache has caught up.
 */
export class StaleSourceError extends StatusError {
  constructor(message: string) {
    super({ code: 409, reason: "Conflict", message });
    this.name = name;
  }
}

export const staleSource = (what: string): StaleSourceError =>
  new StaleSourceError(`nothing was written: ${what}; the next try reads it again`);

/** By name: a bundle and a package may both be loaded. */
export const isStaleSource = (error: unknown): error is StaleSourceError =>
  error instanceof Error && error.name === name;
