import { setTimeout as sleep } from "node:timers/promises";
import { type Json, type JsonObject, normalise, type RecordedAnswer, type Requester } from "../../record/index.js";
import { textOf } from "../change.js";
import { inOneOrder } from "../in-one-order.js";
import { maskChance } from "../mask.js";
import { eachAtOnce, sendRequest } from "../send.js";
import type { Ask, Story } from "./story.js";

export interface StoryOptions {
  /** Requests at a time, where they may be. @default 8 */
  readonly atOnce?: number;
  /** Which asks are sent beside those that keep something, change something or are waited for. @default all */
  readonly wanted?: (sentence: string) => boolean;
}

const longestWaitMs = 30_000;
const betweenMs = 50;
/** Reads in a row that have to be the same where nobody may be writing any more. */
const quietReads = 8;

/** What a server answers to a story, by sentence, comparable with another server's. */
export async function playStory(
  { scenes }: Story,
  request: Requester,
  { atOnce = 8, wanted = () => true }: StoryOptions = {},
): Promise<Map<string, RecordedAnswer>> {
  const kept = new Map<string, JsonObject>();
  const answers = new Map<string, RecordedAnswer>();
  const send = (ask: Ask, text: string | undefined) =>
    sendRequest(request, {
      method: ask.method,
      path: ask.path,
      headers: {
        accept: ask.accept ?? "application/json",
        "user-agent": "coxswain-oracle/1",
        ...(text !== undefined && { "content-type": ask.type ?? "application/json" }),
      },
      ...(text !== undefined && { body: text }),
    });
  const bodyOf = ({ body }: Ask): string | undefined =>
    body === undefined ? undefined : textOf(typeof body === "function" ? body(kept) : body);
  const act = async (ask: Ask): Promise<void> => {
    const text = bodyOf(ask);
    const { body, ...answer } = await send(ask, text);
    if (ask.keep !== undefined && answer.status < 300) kept.set(ask.keep, body as JsonObject);
    const step = { name: ask.sentence, method: "", path: "" };
    // What the server itself gave is masked also where it is sent back.
    const own = typeof ask.body === "function" ? ask.sentence : (text ?? "");
    const [comparable] = normalise([{ step, ...answer, body: inOneOrder(body) }], own);
    if (comparable) answers.set(ask.sentence, maskChance(comparable, own));
  };
  const wait = async (ask: Ask, until: (status: number, body: Json | undefined) => boolean, quiet: boolean) => {
    const end = performance.now() + longestWaitMs;
    let last = "";
    for (let same = 0; performance.now() < end; ) {
      const { status, body } = await send(ask, bodyOf(ask));
      const text = (JSON.stringify(body) ?? "").replaceAll(/"uid":"[^"]*"|resourceVersion\\*": *\\*"\d+/g, "");
      same = text === last ? same + 1 : 0;
      last = text;
      if (until(status, body) && (!quiet || same >= quietReads)) return;
      await sleep(betweenMs);
    }
    console.log(`gave up waiting: ${ask.sentence}, ${ask.path}: ${last.slice(0, 300)}`);
  };
  for (const scene of scenes) {
    if ("wait" in scene) await wait(scene.wait, scene.until, scene.quiet === true);
    else if (scene.atOnce === true)
      await eachAtOnce(
        scene.asks.filter(({ sentence }) => wanted(sentence)),
        atOnce,
        act,
      );
    else await eachAtOnce(scene.asks, 1, act);
  }
  return answers;
}
