import type { Scheduler } from "@coxswain/runtime/scheduler";
import type { Form } from "./form.js";
import type { HeldSeats } from "./held-seats.js";
import type { Latencies } from "./latencies.js";
import type { Query } from "./query.js";
import type { ApiRequest } from "./request.js";
import type { RequestAudit } from "./request-audit.js";
import type { RequestInfo } from "./request-info.js";
import type { UserInfo } from "./user-info.js";

/** A request on its way: what the filters found out is added as it goes. */
export interface RequestContext {
  /** Authentication replaces it by one without its credentials. */
  request: ApiRequest;
  readonly query: Query;
  readonly info: RequestInfo;
  readonly auditId: string;
  /** Set by authentication. */
  user: UserInfo;
  /** Aborted when the client is gone or the deadline has passed. */
  readonly signal: AbortSignal;
  /** When its client must have read the answer, in milliseconds of the monotonic clock; infinity for what lasts as long as it is wanted. */
  deadline: number;
  /** The deadline has passed: aborts `signal`. */
  expire(reason: Error): void;
  /** How the client wants its answer; plain JSON until the router has chosen. */
  form: Form;
  /** Length of the body, once it is read. */
  bodyBytes: number;
  /** About how much larger the defaults of its kind make the object. */
  addedBytes: number;
  /** Sent as Warning headers. */
  readonly warnings: string[];
  /** Adds to them. */
  warn(text: string): void;
  /** A handler has taken the request: from then on it counts in the metrics of requests. */
  isRouted: boolean;
  /** What filters add to the answer's headers, by lower-case name. */
  extraHeaders: Readonly<Record<string, string>> | undefined;
  /** Called for every event that a watch sends. */
  onWatchEvent: ((bytes: number) => void) | undefined;
  /** When it came, in milliseconds of the API's clock; 0 where nobody wants to know. */
  receivedAt: number;
  /** How long it waited for its seats. */
  queuedMs: number;
  /** Where it waited for them, or was refused them; undefined: nowhere. */
  queuedIn: QueuedIn | undefined;
  /** Called with how long the filter took that has the request now; undefined: that filter is not measured. */
  deciding: OnDecided | undefined;
  /** When that filter began, in milliseconds of the monotonic clock. */
  decidingSince: number;
  /** Where its time goes; undefined where nobody wants to know. */
  latencies: Latencies | undefined;
  /** What the audit log will record of it; undefined: nothing. */
  audit: RequestAudit | undefined;
  /** Long work for the request yields by it. */
  readonly scheduler: Scheduler;
  /** Called once when the answer has been written, or cannot be written. */
  onAnswered: (() => void) | undefined;
  /** What it holds of priority and fairness; undefined: nothing. */
  seats: HeldSeats | undefined;
  /** Gives back the memory that is held for the request; undefined: none is. */
  releaseMemory: (() => void) | undefined;
  /** What is noted for the audit log, by key. */
  readonly auditAnnotations: ReadonlyMap<string, string>;
  /** Adds an annotation for the audit log. The first value of a key stays. */
  annotate(key: string, value: string): void;
}

/** A place in priority and fairness, by names that only administrators may see. */
export interface QueuedIn {
  readonly flowSchema: string;
  readonly priorityLevel: string;
  /** Requests of the level that waited already. */
  readonly others: number;
}

/** Called with how long a filter had a request, in milliseconds. */
export type OnDecided = (context: RequestContext, ms: number) => void;
