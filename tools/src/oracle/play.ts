import { type JsonObject, normalise, type RecordedAnswer, type Requester } from "../record/index.js";
import type { OracleCase, Phase } from "./case.js";
import { maskChance } from "./mask.js";
import { requestOf, type Stored } from "./request-of.js";
import { type Answer, eachAtOnce, sendRequest } from "./send.js";
import { isControlled, settled } from "./settle.js";
import { completeObject, isStored, nameOf, namespaceOf, pathOf, type Subject } from "./subject.js";

export interface PlayOptions {
  /** Requests at a time. @default 8 */
  readonly atOnce?: number;
}

/** What a server answers to the cases of a subject, by sentence, comparable with another server's. */
export async function playSubject(
  subject: Subject,
  cases: readonly OracleCase[],
  request: Requester,
  { atOnce = 8 }: PlayOptions = {},
): Promise<Map<string, RecordedAnswer>> {
  const stored = new Map<number, Stored>();
  const answers = new Map<string, RecordedAnswer>();
  const ask = async (asked: OracleCase): Promise<void> => {
    const sent = requestOf(subject, asked, stored.get(asked.base) ?? {});
    const answer = await sendRequest(request, sent);
    if (asked.phase === "make" && answer.status < 300) await remember(asked.base);
    answers.set(asked.sentence, comparable(subject, asked, answer));
  };
  const remember = async (base: number): Promise<void> => {
    const name = nameOf(subject, base);
    const read = async (subresource?: string): Promise<JsonObject | undefined> => {
      const { status, body } = await sendRequest(request, {
        method: "GET",
        path: pathOf(subject, base, name, subresource),
        headers: { accept: "application/json" },
      });
      return status === 200 ? (body as JsonObject) : undefined;
    };
    const object = await (isControlled(subject.info) ? settled(read) : read());
    const scale = subject.info.subresources.some(({ name: one }) => one === "scale") ? await read("scale") : undefined;
    stored.set(base, { ...(object && { object }), ...(scale && { scale }) });
  };
  const inPhase = (phase: Phase): OracleCase[] => cases.filter((asked) => asked.phase === phase);
  await makeNamespaces(subject, request);
  await eachAtOnce(inPhase("new"), atOnce, ask);
  // One object after the other: while it is there it may be in the way of the next.
  for (const base of subject.objects.keys()) {
    const own = (phase: Phase): OracleCase[] => inPhase(phase).filter((asked) => asked.base === base);
    await eachAtOnce(own("make"), 1, ask);
    await eachAtOnce(stored.has(base) ? own("stored") : [], atOnce, ask);
    await eachAtOnce(own("end"), 1, ask);
    if (isStored(subject)) await letGo(subject, base, request);
  }
  return answers;
}

async function makeNamespaces(subject: Subject, request: Requester): Promise<void> {
  if (!subject.info.namespaced) return;
  for (const base of subject.objects.keys()) {
    const body = JSON.stringify({ metadata: { name: namespaceOf(subject, base) } });
    await sendRequest(request, {
      method: "POST",
      path: "/api/v1/namespaces",
      headers: { accept: "application/json", "content-type": "application/json" },
      body,
    });
  }
}

/** Objects outside namespaces may rule over those of the next subject: they go for good. */
async function letGo(subject: Subject, base: number, request: Requester): Promise<void> {
  const path = pathOf(subject, base, nameOf(subject, base));
  const headers = { accept: "application/json", "content-type": "application/merge-patch+json" };
  const release = () =>
    sendRequest(request, { method: "PATCH", path, headers, body: JSON.stringify({ metadata: { finalizers: null } }) });
  await release();
  await sendRequest(request, {
    method: "DELETE",
    path: `${path}?gracePeriodSeconds=0`,
    headers: { accept: "application/json" },
  });
  await release(); // of what the deletion itself has put there
}

function comparable(subject: Subject, asked: OracleCase, { status, headers, body }: Answer): RecordedAnswer {
  const text = JSON.stringify([
    completeObject(subject, asked.base, subject.objects[asked.base] ?? {}),
    asked.change ?? null,
  ]);
  const [answer] = normalise([{ step: { name: asked.sentence, method: "", path: "" }, status, headers, body }], text);
  if (answer === undefined) throw new Error("an answer was lost");
  return maskChance(answer, text);
}
