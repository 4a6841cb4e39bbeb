import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "@coxswain/runtime/clock";
import type { NodeAgent } from "../node/node-agent.js";
import { serveCheckpoint } from "./checkpoint.js";
import { serveLogs } from "./container-logs.js";
import { type FoundPod, findPod, findRunningRun } from "./find-run.js";
import { KubeletRefusal, type KubeletSource } from "./kubelet-source.js";
import { nodePages, type PageSettings } from "./node-pages.js";
import { serveSystemLogs } from "./system-logs.js";

/** What the path of a request names: `/<verb>/<namespace>/<pod>[/<uid>]/<container>`, or a page of the node. */
export interface CallTarget {
  readonly url: URL;
  readonly verb: string;
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** A request that may be answered. */
export interface KubeletCall extends CallTarget {
  readonly source: KubeletSource;
  readonly request: IncomingMessage;
  /** The node that is asked. @throws KubeletRefusal where the client names none of ours */
  node(): NodeAgent;
  /** The node that the connection is to: pods of others are not here. Undefined behind a port that several nodes share. */
  readonly bound: NodeAgent | undefined;
}

export function targetOf(request: IncomingMessage): CallTarget {
  const url = new URL(request.url ?? "/", "https://node");
  const [, verb = "", namespace = "", pod = "", ...rest] = url.pathname.split("/").map(decodeURIComponent);
  return { url, verb, namespace, pod, container: rest.at(-1) ?? "" };
}

/** @throws KubeletRefusal 404, in upstream's words (pkg/kubelet/server/server.go), for a pod of another node, too */
export function podOf({ source, bound, verb, namespace, pod }: KubeletCall): FoundPod {
  const found = findPod(source, namespace, pod, bound);
  if (found) return found;
  throw new KubeletRefusal(404, verb === "containerLogs" ? `pod "${pod}" does not exist` : "pod does not exist");
}

export interface PageContext {
  readonly settings: PageSettings;
  readonly ending: AbortSignal;
  readonly clock: Clock;
}

/** @throws KubeletRefusal before the first byte */
export async function servePage(
  call: KubeletCall,
  response: ServerResponse,
  { settings, ending, clock }: PageContext,
): Promise<void> {
  const { url, verb, container } = call;
  if (!settings.debugging && (debugVerbs.has(verb) || verb === "runningpods" || verb === "logs"))
    throw new KubeletRefusal(405, "Debug endpoints are disabled.\n");
  const life = new AbortController();
  response.once("close", () => life.abort());
  if (verb === "containerLogs") {
    const signal = AbortSignal.any([life.signal, ending]);
    return serveLogs(podOf(call), { container, query: url.searchParams }, response, signal);
  }
  if (verb === "checkpoint") {
    if (call.request.method !== "POST") throw new KubeletRefusal(405, "405: Method Not Allowed");
    return serveCheckpoint(podOf(call), { container, query: url.searchParams, clock }, response);
  }
  if (verb === "run") return runOnce(call, response, life.signal);
  if (debugVerbs.has(verb)) throw new KubeletRefusal(400, "Upgrade request required");
  if (verb === "logs" && settings.systemLogs !== undefined)
    return serveSystemLogs(settings.systemLogs, decodeURIComponent(url.pathname.slice("/logs".length)), response);
  const path = url.pathname.endsWith("/") ? url.pathname.slice(0, -1) : url.pathname;
  const page = nodePages[path];
  if (!page) throw new KubeletRefusal(verb === "logs" ? 405 : 404, refusals[verb] ?? "404 page not found\n");
  const { type, body } = await page(call.node(), settings);
  response.writeHead(200, { "content-type": type }).end(body);
}

/** Paths that lead into pods. */
const debugVerbs: ReadonlySet<string> = new Set(["exec", "attach", "portForward", "run", "containerLogs"]);

const refusals: Readonly<Record<string, string>> = { logs: "logs endpoint is disabled.\n" };

/** `POST /run/…`: a command without streams, whose output is the answer. */
async function runOnce(call: KubeletCall, response: ServerResponse, signal: AbortSignal): Promise<void> {
  const found = podOf(call);
  const query = call.url.searchParams;
  const command = query.get("cmd")?.split(" ") ?? query.getAll("command");
  const id = findRunningRun(found, call.container);
  response.writeHead(200, { "content-type": "text/plain; charset=utf-8" });
  const { stdout, stderr } = await found.agent.context.containers.execSync(id, command, 0, signal);
  response.write(stdout);
  response.end(stderr);
}
