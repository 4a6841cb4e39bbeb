import type { ApiRequest } from "../request/request.js";
import type { UserInfo } from "../request/user-info.js";

/** Who it is, or why credentials that were meant for this authenticator do not count. */
export type Verdict = { readonly user: UserInfo; readonly audiences?: readonly string[] } | { readonly error: string };

/** What an authenticator reports beside its verdict. */
export interface Notes {
  /** Sent to the client in a Warning header. */
  warn(text: string): void;
  /** Noted for the audit log. */
  annotate(key: string, value: string): void;
}

/** Returns the user; undefined: it has no opinion. The reason of a refusal is logged; clients only get a 401. */
export type Authenticator = (request: ApiRequest, notes: Notes) => Promise<Verdict | undefined> | Verdict | undefined;

export interface TokenQuestion extends Notes {
  /** What the asker wants the token to be for; the verdict has those of them that it is for. */
  readonly audiences: readonly string[];
}

/** Answers whose token it is; undefined: it is none of this authenticator's. */
export type TokenAuthenticator = (
  token: string,
  question: TokenQuestion,
) => Promise<Verdict | undefined> | Verdict | undefined;
