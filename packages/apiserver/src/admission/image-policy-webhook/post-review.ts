import type { Clock } from "@coxswain/runtime/clock";
import { HttpClient } from "@coxswain/wire/http";
import type { Backend } from "./backend.js";

/** Longer nobody waits for an answer, in milliseconds. */
const timeoutMs = 30_000;
const maxBytes = 1024 * 1024;

export interface PostedReview {
  readonly code: number;
  readonly body: string;
  /** The backend asks to be asked again. */
  readonly retryAfter: boolean;
}

/** Sends reviews as JSON. Rejects when nobody answers. */
export function createReviewPoster(
  { url, serverName, authority, insecure, certificate, key, token }: Backend,
  ioClock: Clock,
): (body: string) => Promise<PostedReview> {
  const tls = { authority, certificate, key, serverName, insecure };
  const http = new HttpClient({ ioClock, tls, keepAlive: true });
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { "content-type": "application/json", accept: "application/json", ...authorization };
  return async (body) => {
    const answer = await http.exchange({ url, headers, body, timeoutMs, maxBytes });
    return {
      code: answer.code,
      body: answer.body.toString("utf8"),
      retryAfter: answer.headers["retry-after"] !== undefined,
    };
  };
}
