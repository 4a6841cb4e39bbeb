import { type JwtAlgorithm, jwtAlgorithms } from "@coxswain/wire/jwt";
import type { TokenAuthenticator } from "../authenticator.js";
import { createJwtAuthenticator, type JwtAuthenticator, type JwtDeps } from "./jwt-authenticator.js";
import type { JwtIssuer } from "./jwt-issuer.js";
import { createKeySetMetrics } from "./key-set-metrics.js";
import { measureTokens } from "./measure-tokens.js";

export interface JwtOptions {
  readonly issuers: readonly JwtIssuer[];
  /** @default all that are asymmetric */
  readonly algorithms?: readonly JwtAlgorithm[];
}

/** All issuers whose tokens are accepted; they may change while the server runs. */
export interface JwtAuthenticators {
  readonly authenticate: TokenAuthenticator;
  /** From now on these; rejects, and leaves all as it was, when one of them cannot be asked. */
  replace(issuers: readonly JwtIssuer[]): Promise<void>;
  stop(): void;
}

export function createJwtAuthenticators(
  { issuers, algorithms = jwtAlgorithms }: JwtOptions,
  deps: Omit<JwtDeps, "keySetMetrics"> & { hostname: string },
): JwtAuthenticators {
  const { metrics, ioClock } = deps.runtime;
  const measured = measureTokens(metrics, ioClock);
  const keySetMetrics = createKeySetMetrics(metrics, { clock: ioClock, hostname: deps.hostname });
  const make = (wanted: readonly JwtIssuer[]): JwtAuthenticator[] =>
    wanted.map((issuer) => {
      const made = createJwtAuthenticator(issuer, algorithms, { ...deps, keySetMetrics });
      return { ...made, authenticate: measured(issuer.url, made.authenticate) };
    });
  /** Those that are in force, or have requests in flight. */
  const generations = new Set<Generation>();
  const begin = (wanted: readonly JwtIssuer[]): Generation => {
    const made = new Generation(make(wanted), () => generations.delete(made));
    generations.add(made);
    return made;
  };
  let current = begin(issuers);
  let replacing = Promise.resolve();
  let accepted = issuers;
  for (const one of current.authenticators) one.check().catch(() => {}); // requests with a token report it
  return {
    authenticate: (token, question) => current.authenticate(token, question),
    // One after the other: of two changes the later one stays, however long the issuers take.
    replace: (wanted) => {
      const replaced = replacing.then(() => replace(wanted));
      replacing = replaced.catch(() => {}); // reported to whom it was promised
      return replaced;
    },
    stop: () => generations.forEach((one) => one.stop()),
  };

  async function replace(wanted: readonly JwtIssuer[]): Promise<void> {
    const next = begin(wanted);
    try {
      await Promise.all(next.authenticators.map((one) => one.check()));
    } catch (err) {
      next.retire();
      throw err;
    }
    const old = current;
    current = next;
    for (const { url } of accepted) if (!wanted.some((one) => one.url === url)) keySetMetrics.forget(url);
    accepted = wanted;
    old.retire();
  }
}

/**
 * The authenticators of one configuration. A token that is being verified with it is verified to the end, also when another
 * configuration is in force by then: stopping cancels what is asked of the issuer. (Upstream stops the old ones a minute
 * later: pkg/kubeapiserver/authenticator/config.go, updateAuthenticationConfig.)
 */
class Generation {
  readonly authenticators: readonly JwtAuthenticator[];
  #inFlight = 0;
  #isRetired = false;
  readonly #onStop: () => void;

  constructor(authenticators: readonly JwtAuthenticator[], onStop: () => void) {
    this.authenticators = authenticators;
    this.#onStop = onStop;
  }

  /** The first verdict: an issuer has but one configuration. */
  async authenticate(
    ...[token, question]: Parameters<TokenAuthenticator>
  ): Promise<Awaited<ReturnType<TokenAuthenticator>>> {
    this.#inFlight++;
    try {
      for (const one of this.authenticators) {
        const verdict = await one.authenticate(token, question);
        if (verdict) return verdict;
      }
      return undefined;
    } finally {
      if (--this.#inFlight === 0 && this.#isRetired) this.stop();
    }
  }

  /** Stops when nothing is in flight any more. */
  retire(): void {
    this.#isRetired = true;
    if (this.#inFlight === 0) this.stop();
  }

  stop(): void {
    for (const one of this.authenticators) one.stop();
    this.#onStop();
  }
}
