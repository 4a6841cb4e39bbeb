import { systemRuntime } from "@coxswain/runtime";
import type { ToPage, ToWorker } from "../contract/messages.js";
import { createAnswers } from "./answers.js";
import type { Feed } from "./feed.js";
import { problemOf } from "./problem.js";

/** As much of a worker's global scope as is used here: the types of pages and workers exclude each other. */
const scope = globalThis as unknown as {
  postMessage(message: ToPage): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  readonly location: { readonly host: string; readonly protocol: string };
};

const relayUrl = `${scope.location.protocol === "https:" ? "wss" : "ws"}://${scope.location.host}/relay`;
const answers = createAnswers(systemRuntime(), relayUrl, (connection) => scope.postMessage({ connection }));
const feeds = new Map<number, Feed<never>>();

scope.onmessage = ({ data }) => {
  if ("call" in data) void answerCall(data);
  else if ("feed" in data) showFeed(data);
  else {
    feeds.get(data.id)?.close();
    feeds.delete(data.id);
  }
};

async function answerCall(message: Extract<ToWorker, { call: unknown }>): Promise<void> {
  const { id } = message;
  try {
    scope.postMessage({ id, result: await answers.call(message.call, message.params as never, message.port) });
  } catch (error) {
    scope.postMessage({ id, problem: problemOf(error) });
  }
}

function showFeed({ id, feed, params }: Extract<ToWorker, { feed: unknown }>): void {
  const open = feeds.get(id);
  if (open) open.update(params as never);
  else feeds.set(id, answers.open(feed, params as never, (state) => scope.postMessage({ id, state })) as Feed<never>);
}
