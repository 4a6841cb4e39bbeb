import type { Metrics } from "@coxswain/runtime/metrics";
import { type JwtAlgorithm, jwtAlgorithms } from "@coxswain/wire/jwt";
import type { TokenAuthenticator } from "../authenticator.js";
import { createJwtAuthenticator, type JwtAuthenticator, type JwtDeps } from "./jwt-authenticator.js";
import type { JwtIssuer } from "./jwt-issuer.js";
import { createKeySetMeter } from "./key-set-meter.js";
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
  deps: Omit<JwtDeps, "keySetMeter"> & { metrics: Metrics; hostname: string },
): JwtAuthenticators {
  const measured = measureTokens(deps.metrics, deps.ioClock);
  const keySetMeter = createKeySetMeter(deps.metrics, { clock: deps.ioClock, hostname: deps.hostname });
  const make = (wanted: readonly JwtIssuer[]): JwtAuthenticator[] =>
    wanted.map((issuer) => {
      const made = createJwtAuthenticator(issuer, algorithms, { ...deps, keySetMeter });
      return { ...made, authenticate: measured(issuer.url, made.authenticate) };
    });
  const stopAll = (which: readonly JwtAuthenticator[]): void => which.forEach((one) => one.stop());
  let current = make(issuers);
  let accepted = issuers;
  for (const one of current) one.check().catch(() => {}); // requests with a token report it
  return {
    /** The first verdict: an issuer has but one configuration. */
    async authenticate(token, question) {
      for (const one of current) {
        const verdict = await one.authenticate(token, question);
        if (verdict) return verdict;
      }
      return undefined;
    },
    async replace(wanted) {
      const next = make(wanted);
      try {
        await Promise.all(next.map((one) => one.check()));
      } catch (err) {
        stopAll(next);
        throw err;
      }
      const old = current;
      current = next;
      for (const { url } of accepted) if (!wanted.some((one) => one.url === url)) keySetMeter.forget(url);
      accepted = wanted;
      stopAll(old);
    },
    stop: () => stopAll(current),
  };
}
