import type { Json, Requester } from "../record/index.js";
import type { CaseRequest } from "./request-of.js";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Json | undefined;
}

/** A connection that breaks is an answer too: upstream breaks it when its handler panics. */
export async function sendRequest(request: Requester, asked: CaseRequest): Promise<Answer> {
  try {
    return await sendWhole(request, asked);
  } catch (error) {
    return {
      status: 0,
      headers: {},
      body: { message: `no answer: ${error instanceof Error ? error.message : String(error)}` },
    };
  }
}

async function sendWhole(request: Requester, { method, path, headers, body }: CaseRequest): Promise<Answer> {
  const signal = new AbortController().signal;
  const answer = await request({
    method,
    path,
    headers,
    signal,
    ...(body !== undefined && { body: new TextEncoder().encode(body) }),
  });
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of answer.body) text += decoder.decode(chunk, { stream: true });
  return { status: answer.status, headers: answer.headers, body: parse(text + decoder.decode()) };
}

function parse(text: string): Json | undefined {
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text; // not JSON: compared as it is
  }
}

/** Acts on the items in their order, on several at a time. */
export async function eachAtOnce<T>(
  items: readonly T[],
  atOnce: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await act(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
}
