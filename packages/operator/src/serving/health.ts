import type { Handler, ServedResponse } from "./server.js";

/** Undefined or true where all is well; a text or an error is the reason. */
export type HealthCheck = () => HealthAnswer | Promise<HealthAnswer>;
export type HealthAnswer = undefined | true | void | string | Error;

/** Always healthy: a process that answers is alive. */
export const ping: HealthCheck = () => undefined;

const ok = (text: string): ServedResponse => ({ body: text });

/** Serves checks as controller-runtime does: `/healthz`, `/healthz/<name>`, `?verbose`, `?exclude=<name>`. */
export function healthPages(path: string, checks: ReadonlyMap<string, HealthCheck>): Handler {
  const all = (): ReadonlyMap<string, HealthCheck> => (checks.size > 0 ? checks : new Map([["ping", ping]]));
  return async ({ path: asked, query }) => {
    if (asked === path || asked === `${path}/`) return aggregate(all(), query);
    const name = asked.startsWith(`${path}/`) ? asked.slice(path.length + 1) : undefined;
    if (name === undefined) return undefined;
    const check = all().get(name);
    if (check === undefined) return { status: 404, body: "404 page not found\n" };
    const problem = await problemOf(check);
    return problem === undefined ? ok("ok") : { status: 500, body: `internal server error: ${problem}\n` };
  };
}

async function aggregate(checks: ReadonlyMap<string, HealthCheck>, query: URLSearchParams): Promise<ServedResponse> {
  const excluded = new Set(query.getAll("exclude").flatMap((text) => text.split(",")));
  let lines = "";
  let failed = false;
  for (const [check, run] of [...checks].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (excluded.delete(check)) {
      lines += `[+]${check} excluded: ok\n`;
      continue;
    }
    const problem = await problemOf(run);
    failed ||= problem !== undefined;
    lines += problem === undefined ? `[+]${check} ok\n` : `[-]${check} failed: reason withheld\n`;
  }
  const unknown = [...excluded].map((check) => JSON.stringify(check)).join(", ");
  if (unknown !== "") lines += `warn: some health checks cannot be excluded: no matches for ${unknown}\n`;
  if (failed) return { status: 500, body: `${lines}healthz check failed\n` };
  return ok(query.has("verbose") ? `${lines}healthz check passed\n` : "ok");
}

async function problemOf(check: HealthCheck): Promise<string | undefined> {
  try {
    const answer = await check();
    if (answer === undefined || answer === true) return undefined;
    return typeof answer === "string" ? answer : answer.message;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
