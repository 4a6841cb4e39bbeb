import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { Status } from "@coxswain/apimachinery/status";
import type { UserInfo } from "./user-info.js";

/** The audit record of one request, as far as the parts of the server that serve it add to it. */
export interface RequestAudit {
  /** The object that a client sent, as the server understood it; it is written at once, since it changes afterwards. */
  request(object: KubernetesObject, text: () => string): void;
  /** Options that a client sent instead of an object. */
  options(options: object): void;
  /** A patch is recorded as it was sent. */
  patch(bytes: Uint8Array): void;
  /** Whether the policy asks for request bodies. */
  readonly recordsRequests: boolean;
  /** Whether the policy asks for response bodies. */
  readonly recordsResponses: boolean;
  response(text: string): void;
  /** Of an answer that is a Status. */
  status(status: Partial<Status>): void;
  /** The head of the answer goes out, with this code. */
  begin(code: number): void;
  /** The answer is over, or the client is gone. May be called again. Resolves when the event is handed to the backends; false: it was not kept. */
  end(): boolean | Promise<boolean>;
  impersonated(user: UserInfo, constraint: string): void;
  /** Adds the time until `written` resolves to the time spent writing the answer. */
  measureWriting(written: Promise<void>): Promise<void>;
}
