import { type HealthCheck, runHealthChecks } from "@coxswain/component/health";
import type { DocumentAnswer } from "../../request/answer.js";
import { textAnswer } from "../router-errors.js";
import type { PathSource } from "./path-source.js";

/** By endpoint: `/healthz`, `/livez`, `/readyz`. */
export type HealthChecks = Readonly<Record<"healthz" | "livez" | "readyz", readonly HealthCheck[]>>;

export type { HealthCheck } from "@coxswain/component/health";

/** Called for every check that was made for an endpoint as a whole. */
export type OnChecked = (endpoint: string, name: string, ok: boolean) => void;

/** `/healthz`, `/livez`, `/readyz`, each with `?verbose`, `?exclude=name` and a path per check; whatever the method. */
export const createHealth =
  (checks: HealthChecks, onChecked: OnChecked = () => {}): PathSource =>
  async (context) => {
    const { info, query } = context;
    const [, endpoint = ""] = info.path.split("/", 2);
    if (!(endpoint === "healthz" || endpoint === "livez" || endpoint === "readyz")) return undefined;
    context.isRouted = true;
    if (info.path !== `/${endpoint}`) {
      const name = info.path.slice(endpoint.length + 2);
      return single(checks[endpoint].find((check) => check.name === name));
    }
    const { lines, failed } = await runHealthChecks(checks[endpoint], {
      exclude: query.all("exclude"),
      onChecked: (check, ok) => onChecked(endpoint, check, ok),
    });
    if (failed) return textAnswer(500, `${lines}${endpoint} check failed\n`);
    return textAnswer(200, query.has("verbose") ? `${lines}${endpoint} check passed\n` : "ok");
  };

/** Undefined: there is no such check. */
async function single(check: HealthCheck | undefined): Promise<DocumentAnswer | undefined> {
  const problem = await check?.check();
  if (problem !== undefined) return textAnswer(500, `internal server error: ${problem}\n`);
  return (
    check && {
      as: "document",
      code: 200,
      contentType: "text/plain; charset=utf-8",
      bytes: new TextEncoder().encode("ok"),
    }
  );
}

export function* healthPaths(checks: HealthChecks): Iterable<string> {
  for (const [endpoint, own] of Object.entries(checks)) {
    yield `/${endpoint}`;
    for (const { name } of own) yield `/${endpoint}/${name}`;
  }
}
