import { Agent, request } from "node:https";
import type { Clock } from "@coxswain/runtime/clock";
import { readAnswerText } from "../../webhook/read-answer-text.js";

const timeoutMs = 30_000;
const mostBytes = 3 * 1024 * 1024;
const mostRedirects = 10;

export interface TextAnswer {
  readonly code: number;
  readonly body: string;
}

/** Reads JSON by HTTPS, from a server whose certificate the given authorities vouch for. */
export interface JsonReader {
  get(url: string): Promise<unknown>;
  /** The same before it is parsed. */
  getText(url: string): Promise<string>;
  /** The answer as it is, whatever its code. `accessToken`: shows it, to this server alone. */
  getAnswer(url: string, accessToken?: string): Promise<TextAnswer>;
  stop(): void;
}

export function createJsonReader(certificateAuthority: string | undefined, clock: Pick<Clock, "setTimer">): JsonReader {
  const agent = new Agent(
    certificateAuthority === undefined ? {} : { ca: certificateAuthority, allowPartialTrustChain: true },
  );
  const stopped = new AbortController();

  async function getAnswer(url: string, accessToken?: string): Promise<TextAnswer> {
    const late = new AbortController();
    const timer = clock.setTimer(timeoutMs, () => late.abort(new Error(`no answer within ${timeoutMs} ms`)));
    try {
      return await follow(url, accessToken, AbortSignal.any([late.signal, stopped.signal]));
    } catch (err) {
      throw new Error(`Get ${JSON.stringify(url)}: ${err instanceof Error ? err.message : String(err)}`, {
        cause: err,
      });
    } finally {
      timer.cancel();
    }
  }

  async function follow(url: string, accessToken: string | undefined, signal: AbortSignal): Promise<TextAnswer> {
    let target = new URL(url);
    const { origin } = target;
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      if (target.protocol !== "https:") throw new Error("only https is followed");
      const { code, location, body } = await once(
        target,
        accessToken && target.origin === origin ? { authorization: `Bearer ${accessToken}` } : {},
        signal,
      );
      if (code >= 300 && code < 400 && location !== undefined) target = new URL(location, target);
      else return { code, body };
    }
    throw new Error(`stopped after ${mostRedirects} redirects`);
  }

  const once = (
    target: URL,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<{ code: number; location: string | undefined; body: string }> =>
    new Promise((resolve, reject) => {
      const sent = request(
        target,
        { agent, signal, headers: { accept: "application/json", "user-agent": "coxswain", ...headers } },
        (answer) => {
          readAnswerText(answer, mostBytes, () => new Error("the answer is too long")).then(
            (body) => resolve({ code: answer.statusCode ?? 0, location: answer.headers.location, body }),
            reject,
          );
        },
      );
      sent.on("error", reject);
      sent.end();
    });

  async function getText(url: string): Promise<string> {
    const { code, body } = await getAnswer(url);
    if (code !== 200) throw new Error(`Get ${JSON.stringify(url)}: the answer was ${code}: ${body.slice(0, 1024)}`);
    return body;
  }

  return {
    get: async (url) => JSON.parse(await getText(url)) as unknown,
    getText,
    getAnswer,
    stop() {
      stopped.abort(new Error("the issuer is no longer asked"));
      agent.destroy();
    },
  };
}
