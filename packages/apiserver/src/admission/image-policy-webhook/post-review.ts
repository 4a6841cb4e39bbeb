import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { ByteCollector } from "@coxswain/wire/bytes";
import type { Backend } from "./backend.js";

/** Longer nobody waits for an answer, in milliseconds. */
const timeout = 30_000;
const mostBytes = 1024 * 1024;

export interface PostedReview {
  readonly code: number;
  readonly body: string;
  /** The backend asks to be asked again. */
  readonly retryAfter: boolean;
}

/** Sends a review as JSON. Rejects when nobody answers. */
export function postReview(
  { url, serverName, authority, insecure, certificate, key, token }: Backend,
  body: string,
): Promise<PostedReview> {
  const isPlain = url.startsWith("http:");
  const options = {
    method: "POST",
    timeout,
    headers: {
      "content-type": "application/json",
      accept: "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(isPlain
      ? {}
      : {
          ca: authority,
          allowPartialTrustChain: true,
          cert: certificate,
          key,
          rejectUnauthorized: !insecure,
          ...(serverName === undefined ? {} : { servername: serverName }),
        }),
  };
  return new Promise((resolve, reject) => {
    const sent = (isPlain ? httpRequest : httpsRequest)(url, options, (response) => {
      const answer = new ByteCollector();
      response.on("data", (chunk: Buffer) => {
        if (answer.length + chunk.length > mostBytes) sent.destroy(new Error("the answer is too long"));
        else answer.add(chunk);
      });
      response.on("end", () =>
        resolve({
          code: response.statusCode ?? 0,
          body: answer.take().toString("utf8"),
          retryAfter: response.headers["retry-after"] !== undefined,
        }),
      );
      response.on("error", reject);
    });
    sent.on("timeout", () => sent.destroy(new Error(`no answer within ${timeout / 1000} seconds`)));
    sent.on("error", reject);
    sent.end(body);
  });
}
