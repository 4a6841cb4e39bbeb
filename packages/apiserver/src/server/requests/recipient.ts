import type { Soon } from "@coxswain/runtime/soon";
import type { Answer } from "../../request/answer.js";
import type { RequestContext } from "../../request/request-context.js";

/** Where the answer of a request goes: into a response as bytes, or to a caller in this process as data. */
export interface Recipient {
  /** Of the answer; 0 before there is one. */
  readonly code: number;
  /** Of the body, so far. */
  readonly bytes: number;
  /** Hands the answer over. Over when the recipient has all of it, which for a watch is at its end. */
  take(answer: Answer, context: RequestContext): Soon<void>;
  /** Hands over an error of the server instead; what was handed over in part is cut. */
  fail(error: unknown, context: RequestContext): Soon<void>;
  /** Nothing more can be done for the request. */
  abort(): void;
  /** The request is over: it was counted, logged and audited. */
  over(): void;
}
