import {
  type Case,
  type Json,
  type JsonObject,
  normalise,
  playCase,
  type RecordedAnswer,
  type Requester,
} from "../record/index.js";

export interface Audited {
  readonly request: Requester;
  /** The events since the start, once those of each of these requests are complete. */
  events(auditIds: ReadonlySet<string>): Promise<readonly JsonObject[]>;
}

const stages = ["RequestReceived", "ResponseStarted", "ResponseComplete", "Panic"];

/** Plays a case as an administrator, each request named after its step, and returns its audit events, by step and stage. */
export async function playAudited(played: Case, { request, events }: Audited): Promise<RecordedAnswer[]> {
  const named = {
    ...played,
    steps: played.steps.map((step) => ({ ...step, headers: { ...step.headers, "audit-id": step.name } })),
  };
  await playCase(named, (asked) => request({ ...asked, headers: withAuthorization(asked.headers) }), {
    watchTimeoutMs: 2000,
  });
  const order = new Map(played.steps.map(({ name }, index) => [name, index]));
  const recorded = (await events(new Set(order.keys()))).filter(({ auditID }) => order.has(String(auditID)));
  const rank = ({ auditID, stage }: JsonObject): number =>
    (order.get(String(auditID)) ?? 0) * stages.length + stages.indexOf(String(stage));
  const sorted = [...recorded].sort((a, b) => rank(a) - rank(b));
  const answers = sorted.map((event) => ({
    step: { name: `${String(event["auditID"])} ${String(event["stage"])}`, method: "", path: "" },
    status: 0,
    headers: {},
    body: event as Json,
  }));
  return normalise(answers, JSON.stringify(played)).map(({ step, body }) => ({
    step,
    status: 0,
    ...(body === undefined ? {} : { body }),
  }));
}

/** Requests are the administrator's; an empty header is none. */
function withAuthorization(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { authorization = "Bearer admin-token", ...others } = headers;
  return authorization === "" ? others : { ...others, authorization };
}
