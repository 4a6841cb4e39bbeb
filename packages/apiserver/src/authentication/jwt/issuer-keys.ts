import type { Clock } from "@coxswain/runtime/clock";
import {
  type JwtAlgorithm,
  type JwtClaims,
  type PublishedKey,
  peekHeader,
  readKeySet,
  verifyPublished,
} from "@coxswain/wire/jwt";
import type { JsonReader } from "./get-json.js";

const wellKnown = "/.well-known/openid-configuration";
/** After an issuer could not be asked it is not asked again for this long. */
const retryAfterMs = 10_000;

/** The keys of an issuer, asked for when they are needed. */
export interface IssuerKeys {
  /** Asks for the issuer's documents. Rejects when it cannot be reached or is not who it should be. */
  discover(): Promise<void>;
  /** The claims of a token that it has signed. Rejects for any other. */
  verify(token: string): Promise<JwtClaims>;
}

export interface IssuerKeysOptions {
  readonly url: string;
  readonly discoveryUrl: string | undefined;
  readonly algorithms: readonly JwtAlgorithm[];
  readonly reader: JsonReader;
  readonly clock: Pick<Clock, "monotonic">;
  /** Called when there are new keys. */
  onKeys(): void;
  /** Called for every attempt to fetch them with what came, or with undefined when that was of no use. */
  onFetched(text: string | undefined): void;
}

export function createIssuerKeys({
  url,
  discoveryUrl,
  algorithms,
  reader,
  clock,
  onKeys,
  onFetched,
}: IssuerKeysOptions): IssuerKeys {
  let keys: readonly PublishedKey[] = [];
  let jwksUri: string | undefined;
  let failedAt: number | undefined;
  let discovery: Promise<void> | undefined;
  let fetching: Promise<void> | undefined;

  /** Once at a time, however many tokens wait for it. */
  async function discover(): Promise<void> {
    if (jwksUri !== undefined) return;
    if (failedAt !== undefined && clock.monotonic() - failedAt < retryAfterMs)
      throw new Error("oidc: authenticator not initialized");
    discovery ??= readJwksUri({ reader, url, discoveryUrl })
      .then((uri) => void (jwksUri = uri))
      .finally(() => (discovery = undefined));
    try {
      await discovery;
    } catch (err) {
      failedAt = clock.monotonic();
      throw err;
    }
  }

  async function readKeys(): Promise<void> {
    let text: string | undefined;
    try {
      const came = await reader.getText(jwksUri ?? "");
      // `alg` is ignored: a key is good for every algorithm that fits it, as upstream has it (github.com/coreos/go-oidc/jwks.go, verify).
      keys = readKeySet(JSON.parse(came)).map((key) => ({ ...key, algorithm: undefined }));
      text = came;
    } finally {
      onFetched(text);
    }
    onKeys();
  }

  const fetchKeys = (): Promise<void> => (fetching ??= readKeys().finally(() => (fetching = undefined)));

  return {
    discover,
    async verify(token) {
      const { alg } = peekHeader(token) ?? {};
      if (!(algorithms as readonly unknown[]).includes(alg))
        throw new Error(
          `oidc: id token signed with unsupported algorithm, expected [${[...algorithms]
            .sort()
            .map((name) => JSON.stringify(name))
            .join(" ")}] got ${JSON.stringify(alg ?? "")}`,
        );
      await discover();
      const known = verifyPublished(token, keys, algorithms);
      if (known) return known;
      // The issuer may have changed its keys.
      try {
        await fetchKeys();
      } catch (err) {
        throw new Error(`failed to verify signature: fetching keys oidc: get keys failed: ${(err as Error).message}`, {
          cause: err,
        });
      }
      const claims = verifyPublished(token, keys, algorithms);
      if (!claims) throw new Error("failed to verify signature: failed to verify id token signature");
      return claims;
    },
  };
}

/** Where the issuer publishes its keys. */
async function readJwksUri({
  reader,
  url,
  discoveryUrl,
}: Pick<IssuerKeysOptions, "reader" | "url" | "discoveryUrl">): Promise<string> {
  const document = (await reader.get(discoveryUrl ?? url.replace(/\/$/, "") + wellKnown)) as {
    issuer?: unknown;
    jwks_uri?: unknown;
  } | null;
  if (document?.issuer !== url)
    throw new Error(
      `oidc: issuer did not match the issuer returned by provider, expected ${JSON.stringify(url)} got ${JSON.stringify(document?.issuer ?? "")}`,
    );
  if (typeof document.jwks_uri !== "string" || document.jwks_uri === "")
    throw new Error("provider did not return JWKS URL");
  return document.jwks_uri;
}
