import { type DecisionChain, firstToDecide, type Soon, whenKnown } from "@coxswain/runtime/soon";
import type { TokenAuthenticator, Verdict } from "./authenticator.js";

export type KnownOrNot = Extract<Verdict, { user: unknown }> | { readonly errors: readonly string[] };

/** An authenticator of credentials of one form: requests, or tokens. */
type Authenticate<C, N> = (credentials: C, notes: N) => Soon<Verdict | undefined>;

/** The first authenticator that knows the credentials decides. An error of one does not keep the others from knowing them. */
export const askAuthenticators = <C, N>(
  authenticators: readonly Authenticate<C, N>[],
  credentials: C,
  notes: N,
): Soon<KnownOrNot> => firstToDecide(authenticators, new Identification(credentials, notes));

class Identification<C, N> implements DecisionChain<Authenticate<C, N>, Verdict | undefined, KnownOrNot> {
  readonly #credentials: C;
  readonly #notes: N;
  #errors: string[] | undefined;

  constructor(credentials: C, notes: N) {
    this.#credentials = credentials;
    this.#notes = notes;
  }

  ask(authenticator: Authenticate<C, N>): Soon<Verdict | undefined> {
    return authenticator(this.#credentials, this.#notes);
  }

  decide(verdict: Verdict | undefined): KnownOrNot | undefined {
    if (verdict && "user" in verdict) return verdict;
    if (verdict) (this.#errors ??= []).push(verdict.error);
    return undefined;
  }

  otherwise(): KnownOrNot {
    return { errors: this.#errors ?? [] };
  }
}

/** For authenticators that know nothing of audiences: their tokens are for this server. */
export const forThisServer =
  (authenticator: TokenAuthenticator, own: readonly string[]): TokenAuthenticator =>
  (token, question) => {
    // The usual case: a request with a bearer token passes the same array.
    const audiences =
      question.audiences === own ? own : question.audiences.filter((audience) => own.includes(audience));
    if (audiences.length === 0) return undefined;
    const verdict = authenticator(token, question);
    return verdict && withAudiences(verdict, audiences);
  };

const withAudiences = (verdict: Soon<Verdict | undefined>, audiences: readonly string[]): Soon<Verdict | undefined> =>
  whenKnown(verdict, (known) => (known && "user" in known ? { user: known.user, audiences } : known));

/** As upstream writes several errors as one (k8s.io/apimachinery/pkg/util/errors/errors.go, Error): each once, in brackets when they are more. */
export function errorsText(errors: readonly string[]): string {
  const [first = "", ...more] = new Set(errors);
  return more.length === 0 ? first : `[${[first, ...more].join(", ")}]`;
}
