import { stringifyJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { setOwn } from "@coxswain/apimachinery/own";
import type { Status } from "@coxswain/apimachinery/status";
import { formatMicroTime } from "@coxswain/apimachinery/time";
import type { Attributes } from "../authorization/attributes.js";
import { firstLine } from "../request/header-lines.js";
import type { RequestAudit } from "../request/request-audit.js";
import type { RequestContext } from "../request/request-context.js";
import type { UserInfo } from "../request/user-info.js";
import type { AuditBackend } from "./audit-backend.js";
import { type AuditEvent, type AuditedUser, RawJson, type Stage } from "./audit-event.js";
import { patchJson } from "./patch-json.js";
import type { Ruling } from "./policy.js";
import { sourceAddresses } from "./source-addresses.js";
import { textWithoutManagedFields } from "./without-managed-fields.js";

/** Longer ones are cut. */
const userAgentMaxLength = 1024;

export interface RecordDeps {
  readonly backend: AuditBackend;
  /** As the API's stamps are. */
  readonly now: () => number;
  readonly onEvent: () => void;
}

/**
 * Which stages a record has: a short request has events when it arrives and ends, a long-running one also when its
 * response begins; of a request that is not authenticated only the refusal is recorded.
 */
export type Course = "short" | "lasting" | "refused";

/** What is recorded of one request; parts of the server add what they find out. */
export class AuditRecord implements RequestAudit {
  readonly #deps: RecordDeps;
  readonly #ruling: Ruling;
  readonly #context: RequestContext;
  readonly #course: Course;
  readonly #event: AuditEvent;
  #hasBegun = false;
  #hasEnded = false;
  #isKept: boolean | Promise<boolean> = true;

  constructor(deps: RecordDeps, ruling: Ruling, context: RequestContext, attributes: Attributes, course: Course) {
    this.#deps = deps;
    this.#ruling = ruling;
    this.#context = context;
    this.#course = course;
    this.#event = eventOf(ruling, context, attributes, course);
  }

  /** The object that a client sent, as the server understood it; it is written at once, since it changes afterwards. */
  request(object: KubernetesObject, text: () => string): void {
    const { metadata = {} } = object as Partial<KubernetesObject>;
    const {
      resource = "",
      namespace,
      name,
      uid,
      apiGroup = "",
      apiVersion = "",
      resourceVersion,
      subresource = "",
    } = this.#event.objectRef ?? {};
    this.#event.objectRef = withoutEmpty({
      resource,
      namespace: namespace || (metadata.namespace ?? ""),
      name: name || (metadata.name ?? ""),
      uid: uid || (metadata.uid ?? ""),
      apiGroup,
      apiVersion,
      resourceVersion: resourceVersion || (metadata.resourceVersion ?? ""),
      subresource,
    });
    if (this.recordsRequests) this.#event.requestObject = this.#raw(text());
  }

  /** Options that a client sent instead of an object. */
  options(options: object): void {
    if (this.recordsRequests) this.#event.requestObject = new RawJson(stringifyJson(options));
  }

  /** A patch is recorded as it was sent. */
  patch(bytes: Uint8Array): void {
    if (this.recordsRequests) this.#event.requestObject = patchJson(bytes);
  }

  get recordsResponses(): boolean {
    return this.#ruling.level === "RequestResponse";
  }

  response(text: string): void {
    this.#event.responseObject = this.#raw(text);
  }

  /** Of an answer that is a Status. */
  status({ status, message, reason, details, code }: Partial<Status>): void {
    this.#event.responseStatus = {
      metadata: {},
      ...(status && { status }),
      ...(message && { message }),
      ...(reason && { reason }),
      ...(details && { details }),
      ...(code && { code }),
    };
  }

  /** The head of the answer goes out, with this code. */
  begin(code: number): void {
    if (this.#hasBegun || this.#hasEnded) return;
    this.#hasBegun = true;
    this.#event.responseStatus = { ...this.#event.responseStatus, metadata: {}, code };
    if (this.#course !== "short") void this.emit("ResponseStarted");
  }

  /** The answer is over, or the client is gone; later additions do nothing. Resolves when the event is stored. May be called again. */
  end(): boolean | Promise<boolean> {
    if (this.#hasEnded || this.#course === "refused") return this.#isKept;
    this.#hasEnded = true;
    if (this.#event.responseStatus === undefined) {
      this.#event.responseStatus = { metadata: {}, status: "Success", message: "Connection closed early", code: 200 };
      if (this.#course === "lasting") void this.emit("ResponseStarted");
    }
    this.#noteLatencies();
    return (this.#isKept = this.emit("ResponseComplete"));
  }

  /** An unhandled error ended the request: nothing further is recorded. */
  broke(problem: string): boolean | Promise<boolean> {
    if (this.#hasEnded) return this.#isKept;
    this.#hasEnded = true;
    this.#event.responseStatus = {
      metadata: {},
      status: "Failure",
      message: `APIServer panic'd: ${problem}`,
      reason: "InternalError",
      code: 500,
    };
    return (this.#isKept = this.emit("Panic"));
  }

  impersonated(user: UserInfo, constraint: string): void {
    this.#event.impersonatedUser = auditedUser(user);
    if (constraint !== "") this.#event.authenticationMetadata = { impersonationConstraint: constraint };
  }

  /** Emits the event of a stage. False: it could not be kept, and the request may not be served. */
  emit(stage: Stage): boolean | Promise<boolean> {
    if (this.#ruling.omitStages.has(stage)) return true;
    const event = this.#event;
    event.stage = stage;
    event.stageTimestamp =
      stage === "RequestReceived" ? event.requestReceivedTimestamp : formatMicroTime(this.#deps.now());
    this.#takeAnnotations();
    this.#deps.onEvent();
    return this.#deps.backend.process([ordered(event)]);
  }

  /** Writing waits for the client to take what it asked for. */
  async measureWriting(written: Promise<void>): Promise<void> {
    const { latencies } = this.#context;
    if (!latencies) return written;
    const began = this.#deps.now();
    await written;
    latencies.add("response-write", this.#deps.now() - began);
  }

  #noteLatencies(): void {
    const { latencies, receivedAt } = this.#context;
    if (latencies)
      for (const [key, value] of latencies.annotations(this.#deps.now() - receivedAt))
        this.#context.annotate(key, value);
  }

  get recordsRequests(): boolean {
    return this.#ruling.level === "Request" || this.#ruling.level === "RequestResponse";
  }

  #raw(text: string): RawJson {
    return new RawJson(this.#ruling.omitManagedFields ? textWithoutManagedFields(text) : text);
  }

  #takeAnnotations(): void {
    const { auditAnnotations } = this.#context;
    if (auditAnnotations.size === 0) return;
    const annotations: Record<string, string> = {};
    for (const [key, value] of [...auditAnnotations].sort(([a], [b]) => (a < b ? -1 : 1)))
      setOwn(annotations, key, value);
    this.#event.annotations = annotations;
  }
}

function eventOf({ level }: Ruling, context: RequestContext, attributes: Attributes, course: Course): AuditEvent {
  const { request, auditId } = context;
  const receivedAt = formatMicroTime(context.receivedAt);
  const userAgent = firstLine(request, "user-agent") ?? "";
  const sourceIPs = sourceAddresses(request);
  const { namespace, name, resource, subresource, group, version } = attributes;
  return {
    kind: "Event",
    apiVersion: "audit.k8s.io/v1",
    level,
    auditID: auditId,
    stage: "RequestReceived",
    requestURI: request.query === "" ? request.path : `${request.path}?${request.query}`,
    verb: attributes.verb,
    user: course === "refused" ? {} : auditedUser(attributes.user),
    ...(sourceIPs.length > 0 && { sourceIPs }),
    ...(userAgent !== "" && {
      userAgent:
        userAgent.length > userAgentMaxLength ? `${userAgent.slice(0, userAgentMaxLength)}...TRUNCATED` : userAgent,
    }),
    ...(attributes.isResource && {
      objectRef: withoutEmpty({ resource, namespace, name, apiGroup: group, apiVersion: version, subresource }),
    }),
    requestReceivedTimestamp: receivedAt,
    stageTimestamp: receivedAt,
  };
}

const auditedUser = ({ name, uid, groups, extra }: UserInfo): AuditedUser => ({
  ...(name !== "" && { username: name }),
  ...(uid !== undefined && uid !== "" && { uid }),
  ...(groups.length > 0 && { groups }),
  ...(extra && Object.keys(extra).length > 0 && { extra }),
});

const withoutEmpty = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== "" && value !== undefined)) as T;

const order = [
  "kind",
  "apiVersion",
  "level",
  "auditID",
  "stage",
  "requestURI",
  "verb",
  "user",
  "impersonatedUser",
  "authenticationMetadata",
  "sourceIPs",
  "userAgent",
  "objectRef",
  "responseStatus",
  "requestObject",
  "responseObject",
  "requestReceivedTimestamp",
  "stageTimestamp",
  "annotations",
] as const satisfies readonly (keyof AuditEvent)[];

/** A copy of how it is now, its members in the order in which they are written. */
function ordered(event: AuditEvent): AuditEvent {
  const copy: Partial<Record<keyof AuditEvent, unknown>> = {};
  for (const member of order) if (event[member] !== undefined) copy[member] = event[member];
  return copy as AuditEvent;
}
