import { peekClaims, peekHeader, readKeySet, signingKey, signToken, verifyToken } from "@coxswain/wire/jwt";
import { BrokenPromise, type FuzzTarget, seed, textOf } from "../fuzz-target.js";

/** JSON web tokens: no change of a token, or of another's, passes as signed. */
export function jwtTarget(): FuzzTarget {
  const ours = signingKey();
  const claims = { iss: "https://issuer", sub: "system:serviceaccount:default:a", exp: 2_000_000_000, aud: ["a"] };
  const tokens = [signToken(claims, ours), signToken({ ...claims, sub: "root" }, signingKey())];
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const none = `${part({ alg: "none" })}.${part({ ...claims, sub: "root" })}.`;
  const symmetric = `${part({ alg: "HS256", kid: ours.id })}.${part({ ...claims, sub: "root" })}.AAAA`;
  const signed = JSON.stringify(verifyToken(tokens[0]!, [ours]));
  return {
    name: "jwt",
    seeds: [...tokens, none, symmetric].map(seed),
    words: [
      ".",
      "..",
      "=",
      part({ alg: "none" }),
      part({ alg: ours.algorithm, kid: ours.id }),
      part({ sub: "root" }),
      part({ alg: ours.algorithm, crit: ["b64"], b64: false }),
    ],
    run(input) {
      const token = textOf(input);
      peekHeader(token);
      peekClaims(token);
      const found = verifyToken(token, [ours]);
      if (found !== undefined && JSON.stringify(found) !== signed)
        throw new BrokenPromise("claims that nobody signed are accepted");
      return found !== undefined;
    },
  };
}

/** The key sets that issuers publish. */
export function keySetTarget(): FuzzTarget {
  const keys = {
    keys: [
      {
        kty: "EC",
        crv: "P-256",
        kid: "a",
        use: "sig",
        x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
      },
    ],
  };
  return {
    name: "key-sets",
    seeds: [seed(JSON.stringify(keys))],
    words: ['"kty":"RSA"', '"n":"AQAB"', '"e":"AQAB"', '"kty":"oct"', '"k":"AAAA"', '"alg":"none"', "null", "[]"],
    run(input) {
      let value: unknown;
      try {
        value = JSON.parse(textOf(input));
        return readKeySet(value).length > 0;
      } catch (err) {
        if (err instanceof SyntaxError || (err instanceof Error && err.message === "a key set has no member keys"))
          return false;
        throw err;
      }
    },
  };
}
