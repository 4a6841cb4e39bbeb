import type { Clock } from "@coxswain/runtime/clock";
import { type HealthCheck, runHealthChecks } from "../health/index.js";
import type { MetricsRegistry } from "../metrics/index.js";
import { metricsContentType } from "../metrics/index.js";
import { profileCpu } from "../profiling/index.js";
import type { Page, PageRequest, PageSource } from "./page.js";

export interface ComponentPagesOptions {
  /** As it calls itself: "kube-scheduler". */
  readonly component: string;
  readonly checks: Readonly<Record<"healthz" | "livez" | "readyz", readonly HealthCheck[]>>;
  readonly metrics: MetricsRegistry;
  /** What `/configz` shows, by the name of the configuration. */
  readonly configz: () => unknown;
  /** What `/flagz` shows, by name. */
  readonly flags: () => ReadonlyMap<string, string>;
  readonly version: string;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  readonly clock: Clock;
  /** Whether `/debug/pprof` is served. */
  readonly profiling: boolean;
}

/** What every component shows: health, metrics, configuration, flags, status, CPU profiles. */
export function createComponentPages(options: ComponentPagesOptions): PageSource {
  const pages: Readonly<Record<string, (request: PageRequest) => Page | Promise<Page>>> = {
    "/metrics": () => ({ contentType: metricsContentType, body: options.metrics.text() }),
    "/configz": () => ({ contentType: "application/json", body: JSON.stringify(options.configz()) }),
    "/flagz": () => ({ body: `${head(options.component, "flagz")}\n${flagLines(options.flags())}\n` }),
    "/statusz": () => ({ body: statusText(options) }),
    "/version": () => ({ contentType: "application/json", body: JSON.stringify({ gitVersion: options.version }) }),
    ...(options.profiling && {
      "/debug/pprof/profile": ({ query }) => profilePage(query, options.clock),
    }),
  };
  return (request) => {
    const [, endpoint = "", ...check] = request.path.split("/");
    if (endpoint === "healthz" || endpoint === "livez" || endpoint === "readyz")
      return healthPage(endpoint, options.checks[endpoint], check.join("/"), request.query);
    return Object.hasOwn(pages, request.path) ? pages[request.path]?.(request) : undefined;
  };
}

async function healthPage(
  endpoint: string,
  checks: readonly HealthCheck[],
  single: string,
  query: URLSearchParams,
): Promise<Page | undefined> {
  if (single !== "") {
    const check = checks.find(({ name }) => name === single);
    if (!check) return undefined;
    const problem = await check.check();
    return problem === undefined ? { body: "ok" } : { status: 500, body: `internal server error: ${problem}\n` };
  }
  const { lines, failed } = await runHealthChecks(checks, { exclude: query.getAll("exclude") });
  if (failed) return { status: 500, body: `${lines}${endpoint} check failed\n` };
  return { body: query.has("verbose") ? `${lines}${endpoint} check passed\n` : "ok" };
}

/** Go's default, and the most that one may ask for. */
const profileSeconds = { usual: 30, most: 300 };

async function profilePage(query: URLSearchParams, clock: Clock): Promise<Page> {
  const asked = Number(query.get("seconds") ?? profileSeconds.usual);
  if (!(asked > 0 && asked <= profileSeconds.most))
    return { status: 400, body: `seconds must be a number up to ${profileSeconds.most}\n` };
  const body = await profileCpu(asked * 1000, clock, new AbortController().signal);
  if (!body) return { status: 500, body: "Could not enable CPU profiling: cpu profiling already in use\n" };
  return { contentType: "application/octet-stream", body };
}

const head = (component: string, page: string): string =>
  `\n${component} ${page}\nWarning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.`;

const flagLines = (flags: ReadonlyMap<string, string>): string =>
  [...flags]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}:${value}`)
    .join("\n");

function statusText({ component, version, startedAt, clock }: ComponentPagesOptions): string {
  const seconds = Math.max(0, Math.floor((clock.now() - startedAt) / 1000));
  const up = `${Math.floor(seconds / 3600)} hr ${Math.floor(seconds / 60) % 60} min ${seconds % 60} sec`;
  const started = new Date(startedAt).toUTCString();
  return `${head(component, "statusz")}\n\nStarted:  ${started}\nUp:  ${up}\nBinary version:  ${version.slice(1)}\n`;
}
