import type { LogLevel } from "@coxswain/runtime/log";

/** Kubernetes counts how much to log by numbers: up to 2 is for everyday use, 3 to 5 for looking closer, more for following every step. */
export const levelOfVerbosity = (verbosity: number): LogLevel =>
  verbosity >= 6 ? "trace" : verbosity >= 3 ? "debug" : "info";
