import { firstToDecide, type Soon, whenKnown } from "../soon.js";
import type { TokenAuthenticator, TokenQuestion, Verdict } from "./authenticator.js";

export type TokenAnswer = Extract<Verdict, { user: unknown }> | { readonly errors: readonly string[] };

/** The first authenticator that knows the token decides. An error of one does not keep the others from knowing it. */
export function askTokens(authenticators: readonly TokenAuthenticator[], token: string, question: TokenQuestion): Soon<TokenAnswer> {
  const errors: string[] = [];
  const known = firstToDecide(
    authenticators,
    (authenticator) => authenticator(token, question),
    (verdict) => {
      if (verdict && "user" in verdict) return verdict;
      if (verdict) errors.push(verdict.error);
      return undefined;
    },
  );
  return whenKnown(known, (verdict) => verdict ?? { errors });
}

/** For authenticators that know nothing of audiences: their tokens are for this server. */
export const forThisServer =
  (authenticator: TokenAuthenticator, own: readonly string[]): TokenAuthenticator =>
  (token, question) => {
    const audiences = question.audiences.filter((audience) => own.includes(audience));
    if (audiences.length === 0) return undefined;
    return whenKnown(authenticator(token, question), (verdict) => (verdict && "user" in verdict ? { ...verdict, audiences } : verdict));
  };

/** As upstream writes several errors as one: each once, in brackets when they are more. */
export function errorsText(errors: readonly string[]): string {
  const [first = "", ...more] = new Set(errors);
  return more.length === 0 ? first : `[${[first, ...more].join(", ")}]`;
}
