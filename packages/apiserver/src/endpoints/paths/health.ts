import { methodNotAllowed, textAnswer } from "../router-errors.js";
import type { PathSource } from "./path-source.js";

/** A named condition of the server's health. Answers why it does not hold, or nothing. */
export interface HealthCheck {
  readonly name: string;
  check(): string | undefined;
}

export interface HealthChecks {
  /** By endpoint: `/healthz`, `/livez`, `/readyz`. */
  readonly healthz: readonly HealthCheck[];
  readonly livez: readonly HealthCheck[];
  readonly readyz: readonly HealthCheck[];
}

/** `/healthz`, `/livez`, `/readyz`, each with `?verbose`, `?exclude=name` and a path per check. */
export const createHealth =
  (checks: HealthChecks): PathSource =>
  ({ info, query }) => {
    const [, endpoint = "", name, ...more] = info.path.split("/");
    if (!(endpoint === "healthz" || endpoint === "livez" || endpoint === "readyz") || more.length > 0) return undefined;
    if (info.verb !== "get" && info.verb !== "head") throw methodNotAllowed();
    const own = checks[endpoint];
    if (name) {
      const one = own.find((check) => check.name === name);
      const problem = one?.check();
      return one && (problem === undefined ? textAnswer(200, "ok") : textAnswer(500, `internal server error: ${problem}\n`));
    }
    const excluded = new Set(query.all("exclude"));
    const lines: string[] = [];
    let failed = false;
    for (const { name: each, check } of own) {
      if (excluded.delete(each)) {
        lines.push(`[+]${each} excluded: ok`);
        continue;
      }
      const problem = check();
      failed ||= problem !== undefined;
      lines.push(problem === undefined ? `[+]${each} ok` : `[-]${each} failed: reason withheld`);
    }
    for (const unknown of excluded) lines.push(`warn: some health checks cannot be excluded: no matches for "${unknown}"`);
    if (failed) return textAnswer(500, `${lines.join("\n")}\n${endpoint} check failed\n`);
    return textAnswer(200, query.has("verbose") ? `${lines.join("\n")}\n${endpoint} check passed\n` : "ok");
  };
