import { untilStopped } from "../../endpoints/until-stopped.js";
import type { Answer } from "../../request/answer.js";
import type { RequestContext } from "../../request/request-context.js";
import { type BackendAnswer, callBackend } from "./call-backend.js";
import { DialError } from "./dial-error.js";
import { answerHeaders, forwardedHeaders, type HeaderLines } from "./forwarded-headers.js";
import type { Location } from "./location.js";
import { plainFailure } from "./node-connection.js";
import { rawHead } from "./raw-answer.js";
import { splice } from "./splice.js";
import type { StreamDeps } from "./stream-deps.js";

/** Asks the other server to change protocols as the client asked; from then on only bytes are carried, whatever they mean. */
export async function handOnUpgrade(
  deps: Pick<StreamDeps, "streams">,
  context: RequestContext,
  location: Location,
  /** @default the client's */
  headers: HeaderLines = forwardedHeaders(context.request, "upgrade"),
): Promise<Answer> {
  const { request } = context;
  const signal = untilStopped(deps, context);
  const body = request.wire?.hasBody === true ? request.wire.openBody() : undefined;
  const answer = await dial(
    callBackend({
      location,
      method: request.method,
      headers,
      body,
      signal,
      clock: deps.streams.runtime.ioClock,
      network: deps.streams.network,
    }),
  );
  if (answer.kind === "answered") return refused(answer);
  return {
    as: "upgraded",
    run() {
      const taken = request.wire?.upgrade?.();
      if (!taken) return Promise.resolve(void answer.socket.destroy());
      taken.socket.write(rawHead(answer.response));
      if (answer.head.length > 0) taken.socket.write(answer.head);
      if (taken.head.length > 0) answer.socket.write(taken.head);
      return splice(taken.socket, answer.socket, signal);
    },
  };
}

/** @throws StatusError in the words of upstream's proxy */
export const dial = (answer: Promise<BackendAnswer>): Promise<BackendAnswer> =>
  answer.catch((err: unknown) => {
    throw err instanceof DialError ? plainFailure(`error dialing backend: ${err.message}`, err) : err;
  });

/** A refusal is the client's to see; anything else that is no change of protocols is an answer to another question. */
export function refused({ response }: Extract<BackendAnswer, { kind: "answered" }>): Answer {
  const code = response.statusCode ?? 0;
  if (code >= 400) return { as: "stream", code, headers: answerHeaders(response.headersDistinct), body: response };
  response.destroy();
  throw plainFailure(`invalid upgrade response: status code ${code}`);
}
