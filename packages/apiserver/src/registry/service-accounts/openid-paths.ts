import type { ServiceAccountTokens } from "../../authentication/service-account-tokens.js";
import type { PathSource } from "../../endpoints/paths/path-source.js";
import { checkAccept } from "../../endpoints/route-media.js";
import { methodNotAllowed } from "../../endpoints/router-errors.js";

/** As `/` lists them. */
export const openIdPaths: readonly string[] = ["/.well-known/openid-configuration", "/openid/v1/jwks"];

/** What others need to check service account tokens without asking: the issuer and its keys. */
export function createOpenIdPaths(
  tokens: ServiceAccountTokens,
  { serverAddress, jwksUri }: { serverAddress: () => string; jwksUri: string | undefined },
): PathSource {
  const documents: Readonly<Record<string, { contentType: string; body(): object }>> = {
    "/.well-known/openid-configuration": {
      contentType: "application/json",
      body: () => ({
        issuer: tokens.issuer,
        jwks_uri: jwksUri ?? `https://${serverAddress()}/openid/v1/jwks`,
        response_types_supported: ["id_token"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: tokens.algorithms(),
      }),
    },
    "/openid/v1/jwks": { contentType: "application/jwk-set+json", body: () => tokens.keys() },
  };
  return ({ info: { path }, request }) => {
    const name = path === "/openid/v1/jwks/" ? "/openid/v1/jwks" : path; // Upstream serves its keys with a slash behind them, too, and nothing else.
    const document = Object.hasOwn(documents, name) ? documents[name] : undefined;
    if (!document) return undefined;
    if (request.method !== "GET") throw methodNotAllowed();
    checkAccept(request, [document.contentType]);
    return {
      as: "document",
      code: 200,
      contentType: document.contentType,
      headers: { "cache-control": `public, max-age=${tokens.maxAgeSeconds()}` },
      bytes: new TextEncoder().encode(JSON.stringify(document.body())),
    };
  };
}
