import { setTimeout as sleep } from "node:timers/promises";
import type { RecordedAnswer } from "./answer.js";
import type { Case, Step } from "./case.js";
import { readEvents } from "./event-stream.js";
import type { Json } from "./json.js";
import { parseJson } from "./json.js";
import { normalise } from "./normalise.js";
import type { RawAnswer } from "./raw-answer.js";
import { substitute } from "./substitute.js";

export interface PlayRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Aborted when the player has seen enough of the answer. */
  readonly signal: AbortSignal;
}

export interface PlayAnswer {
  readonly status: number;
  /** Names in lower case; several lines of one header are a list. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Ends quietly or throws when the request's signal is aborted. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Sends one request to the server under test as an administrator. Resolves when the head of the answer is there. */
export type Requester = (request: PlayRequest) => Promise<PlayAnswer>;

export interface PlayOptions {
  /** How long a watch may take to gather its events, in milliseconds; what is missing then is missing. @default 10000 */
  watchTimeoutMs?: number;
  /** Waits where a step asks for it. @default nobody waits */
  pause?: (ms: number) => Promise<unknown>;
}

const agent = "coxswain-record/1";

/**
 * Plays a case and returns the server's answers, normalised, so that two servers' answers can be compared as data.
 *
 * *Assumptions*: the server holds no namespace of the case's name yet. *Guarantees*: steps are sent one after the other,
 * each when the one before was answered (a watch: when its head was).
 */
export async function playCase(played: Case, request: Requester, options: PlayOptions = {}): Promise<RecordedAnswer[]> {
  return normalise(await playRaw(played, request, options), JSON.stringify(played));
}

async function playRaw(played: Case, request: Requester, options: PlayOptions): Promise<RawAnswer[]> {
  const scope = new Map<string, Json>();
  for (const name of await makeNamespaces(played, request)) scope.set(name.variable, name.namespace);
  const answers: Promise<RawAnswer>[] = [];
  try {
    for (const step of played.steps) {
      if (step.pauseMs !== undefined) await options.pause?.(step.pauseMs);
      const { head, rest } = await playUntil(step, scope, request, options);
      answers.push(rest);
      rest.catch(() => {}); // reported below; until then it must not count as unhandled
      if (step.watch !== undefined && head.status === 200 && !step.watch.waits) continue;
      const { body } = await rest;
      if (body !== undefined) scope.set(step.name, body);
    }
    return await Promise.all(answers);
  } catch (error) {
    throw new Error(`case ${played.name}: ${String(error)}`, { cause: error });
  }
}

const betweenTriesMs = 20;
/** For a server that never gives the answer: the last one is reported. */
const longestWaitMs = 60_000;

async function playUntil(...played: Parameters<typeof playStep>): ReturnType<typeof playStep> {
  const [{ until }] = played;
  const end = performance.now() + longestWaitMs;
  for (;;) {
    const answer = await playStep(...played);
    if (until === undefined || answer.head.status === until || performance.now() > end) return answer;
    await answer.rest;
    await sleep(betweenTriesMs);
  }
}

async function playStep(
  step: Step,
  scope: ReadonlyMap<string, Json>,
  request: Requester,
  options: PlayOptions,
): Promise<{ head: PlayAnswer; rest: Promise<RawAnswer> }> {
  const body = step.body === undefined ? undefined : substitute(step.body, scope);
  const abort = new AbortController();
  const head = await request({
    method: step.method,
    path: substitute(step.path, scope),
    headers: {
      accept: "application/json",
      "user-agent": agent,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...substitute(step.headers ?? {}, scope),
    },
    ...(body === undefined
      ? {}
      : { body: new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body)) }),
    signal: abort.signal,
  });
  const common = { step, status: head.status, headers: head.headers };
  if (step.watch !== undefined && head.status === 200) {
    const limits = { count: step.watch.events, timeoutMs: options.watchTimeoutMs ?? 10_000, abort };
    return { head, rest: readEvents(head.body, limits).then((events) => ({ ...common, events })) };
  }
  return {
    head,
    rest: readText(head.body).then((text) => ({
      ...common,
      body: text === "" ? undefined : (parseJson(text) ?? text),
    })),
  };
}

async function makeNamespaces(played: Case, request: Requester): Promise<{ variable: string; namespace: string }[]> {
  const text = JSON.stringify(played);
  const all = [
    { variable: "ns", namespace: played.name },
    { variable: "ns2", namespace: `${played.name}-2` },
  ];
  const wanted = all.filter(({ variable }) => text.includes(`\${${variable}}`));
  for (const { namespace } of wanted) {
    const answer = await request({
      method: "POST",
      path: "/api/v1/namespaces",
      headers: { accept: "application/json", "content-type": "application/json", "user-agent": agent },
      body: new TextEncoder().encode(JSON.stringify({ metadata: { name: namespace } })),
      signal: new AbortController().signal,
    });
    const responseText = await readText(answer.body);
    if (answer.status !== 201)
      throw new Error(`case ${played.name}: cannot create namespace ${namespace}: ${responseText}`);
  }
  return wanted;
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}
