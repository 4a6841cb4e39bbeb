import type { Runtime } from "@coxswain/runtime";
import { LazySignal } from "@coxswain/runtime/lazy-signal";
import { randomUuid } from "@coxswain/runtime/random";
import type { Scheduler } from "@coxswain/runtime/scheduler";
import { jsonForm } from "../../endpoints/respond/json-form.js";
import type { Form } from "../../request/form.js";
import { firstSent } from "../../request/header-lines.js";
import type { HeldSeats } from "../../request/held-seats.js";
import type { Latencies } from "../../request/latencies.js";
import { createQuery, type Query } from "../../request/query.js";
import type { ApiRequest } from "../../request/request.js";
import type { RequestAudit } from "../../request/request-audit.js";
import type { OnDecided, QueuedIn, RequestContext } from "../../request/request-context.js";
import { nonResource, type RequestInfo, readRequestInfo } from "../../request/request-info.js";
import { anonymous, type UserInfo } from "../../request/user-info.js";
import { decodePath } from "../connection/decode-path.js";

/** The client's Audit-ID is used as it is, whatever its length, if it is a valid header value. */
const auditIdPattern = /^[\t\x20-\x7e\x80-\xff]+$/;

const none: ReadonlyMap<string, string> = new Map();

type RequestRuntime = Pick<Runtime, "random" | "scheduler">;

export function openContext(request: ApiRequest, runtime: RequestRuntime): RequestContext {
  return new OpenContext(request, runtime);
}

class OpenContext implements RequestContext {
  request: ApiRequest;
  readonly query: Query;
  readonly info: RequestInfo;
  readonly auditId: string;
  readonly scheduler: Scheduler;
  readonly warnings: string[] = [];
  user: UserInfo = anonymous;
  form: Form = jsonForm;
  isRouted = false;
  extraHeaders: Readonly<Record<string, string>> | undefined = undefined;
  onWatchEvent: ((bytes: number) => void) | undefined = undefined;
  deadline = Number.POSITIVE_INFINITY;
  bodyBytes = 0;
  addedBytes = 0;
  receivedAt = 0;
  queuedMs = 0;
  queuedIn: QueuedIn | undefined = undefined;
  deciding: OnDecided | undefined = undefined;
  decidingSince = 0;
  latencies: Latencies | undefined = undefined;
  audit: RequestAudit | undefined = undefined;
  onAnswered: (() => void) | undefined = undefined;
  seats: HeldSeats | undefined = undefined;
  releaseMemory: (() => void) | undefined = undefined;
  #expired: LazySignal | undefined;
  #signal: AbortSignal | undefined;
  #annotations: Map<string, string> | undefined;

  constructor(request: ApiRequest, { random, scheduler }: RequestRuntime) {
    this.request = request;
    this.scheduler = scheduler;
    this.query = createQuery(request.query);
    this.info = readInfo(request, this.query.flag("watch") === true);
    const given = firstSent(request, "audit-id");
    this.auditId = given !== undefined && auditIdPattern.test(given) ? given : randomUuid(random);
  }

  get signal(): AbortSignal {
    return (this.#signal ??= AbortSignal.any([this.request.signal, (this.#expired ??= new LazySignal()).signal]));
  }

  get auditAnnotations(): ReadonlyMap<string, string> {
    return this.#annotations ?? none;
  }

  warn(text: string): void {
    this.warnings.push(text);
  }

  annotate(key: string, value: string): void {
    this.#annotations ??= new Map();
    if (!this.#annotations.has(key)) this.#annotations.set(key, value);
  }

  expire(reason: Error): void {
    (this.#expired ??= new LazySignal()).abort(reason);
  }
}

/** Request infos by method and path: clients use the same paths again (renewing leases, creating objects). */
const knownInfos = new Map<string, Map<string, RequestInfo>>();
const maxCachedInfos = 1024;

function readInfo(request: ApiRequest, isWatch: boolean): RequestInfo {
  if (isWatch || request.path.length > 256) return makeInfo(request, isWatch);
  let infos = knownInfos.get(request.method);
  if (!infos) {
    if (knownInfos.size >= 16) knownInfos.clear(); // methods that somebody makes up
    knownInfos.set(request.method, (infos = new Map()));
  }
  let info = infos.get(request.path);
  if (!info) {
    if (infos.size >= maxCachedInfos) infos.clear();
    infos.set(request.path, (info = makeInfo(request, false)));
  }
  return info;
}

function makeInfo({ method, path }: ApiRequest, isWatch: boolean): RequestInfo {
  const decoded = decodePath(path);
  return decoded === undefined
    ? { ...nonResource(method, path), isUnclear: true }
    : readRequestInfo(method, decoded, isWatch);
}
