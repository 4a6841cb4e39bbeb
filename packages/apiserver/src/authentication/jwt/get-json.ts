import type { Clock } from "@coxswain/runtime/clock";
import { HttpClient } from "@coxswain/wire/http";

const timeoutMs = 30_000;
const maxBytes = 3 * 1024 * 1024;
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

export function createJsonReader(authority: string | undefined, ioClock: Pick<Clock, "setTimer">): JsonReader {
  const http = new HttpClient({ ioClock, tls: { authority } });

  async function getAnswer(url: string, accessToken?: string): Promise<TextAnswer> {
    try {
      return await follow(http, url, accessToken);
    } catch (err) {
      throw new Error(`Get ${JSON.stringify(url)}: ${err instanceof Error ? err.message : String(err)}`, {
        cause: err,
      });
    }
  }

  async function getText(url: string): Promise<string> {
    const { code, body } = await getAnswer(url);
    if (code !== 200) throw new Error(`Get ${JSON.stringify(url)}: the answer was ${code}: ${body.slice(0, 1024)}`);
    return body;
  }

  return {
    get: async (url) => JSON.parse(await getText(url)) as unknown,
    getText,
    getAnswer,
    stop: () => http.stop(),
  };
}

/** The answer behind redirects; the token is shown to the first server alone. */
async function follow(http: HttpClient, url: string, accessToken: string | undefined): Promise<TextAnswer> {
  let target = new URL(url);
  const { origin } = target;
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    if (target.protocol !== "https:") throw new Error("only https is followed");
    const authorization = accessToken && target.origin === origin ? { authorization: `Bearer ${accessToken}` } : {};
    const headers = { accept: "application/json", "user-agent": "coxswain", ...authorization };
    const { code, headers: answered, body } = await http.exchange({ url: target, headers, timeoutMs, maxBytes });
    const { location } = answered;
    if (code < 300 || code >= 400 || location === undefined) return { code, body: body.toString("utf8") };
    target = new URL(location, target);
  }
  throw new Error(`stopped after ${mostRedirects} redirects`);
}
