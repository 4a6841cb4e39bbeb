import type { Status } from "@coxswain/apimachinery/status";

/** How much of a request is recorded, from nothing to everything. */
export const levels = ["None", "Metadata", "Request", "RequestResponse"] as const;
export type Level = (typeof levels)[number];

/** When an event is emitted: on arrival, when a long response begins, at its end, or after an unhandled error. */
export const stages = ["RequestReceived", "ResponseStarted", "ResponseComplete", "Panic"] as const;
export type Stage = (typeof stages)[number];

/** What happened to one request at one stage: `audit.k8s.io/v1` Event, its members in the order in which they are written. */
export interface AuditEvent {
  kind: "Event";
  apiVersion: "audit.k8s.io/v1";
  level: Level;
  auditID: string;
  stage: Stage;
  requestURI: string;
  verb: string;
  user: AuditedUser;
  impersonatedUser?: AuditedUser;
  authenticationMetadata?: { impersonationConstraint: string };
  sourceIPs?: readonly string[];
  userAgent?: string;
  objectRef?: ObjectReference;
  responseStatus?: AuditedStatus;
  requestObject?: RawJson;
  responseObject?: RawJson;
  requestReceivedTimestamp: string;
  stageTimestamp: string;
  annotations?: Record<string, string>;
}

export interface AuditedUser {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface ObjectReference {
  resource?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiGroup?: string;
  apiVersion?: string;
  resourceVersion?: string;
  subresource?: string;
}

export type AuditedStatus = Partial<Pick<Status, "status" | "message" | "reason" | "details" | "code">> & {
  readonly metadata: Record<string, never>;
};

/** An object that is already JSON text: it goes into the event as it stands. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The same as an item of an EventList, which has the kind once for all. */
export const itemJson = ({ kind: _kind, apiVersion: _apiVersion, ...event }: AuditEvent): string => eventJson(event);

/** One line of JSON without its end. */
export function eventJson(event: Partial<AuditEvent>): string {
  const members: string[] = [];
  for (const [name, value] of Object.entries(event) as [string, unknown][]) {
    if (value !== undefined)
      members.push(`${JSON.stringify(name)}:${value instanceof RawJson ? value.text : JSON.stringify(value)}`);
  }
  return `{${members.join(",")}}`;
}
