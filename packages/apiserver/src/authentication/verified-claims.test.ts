import { generateKeyPairSync } from "node:crypto";
import { type JwtAlgorithm, signingKey, signToken } from "@coxswain/wire/jwt";
import { describe, expect, it } from "vitest";
import { createFixedKeys } from "./token-keys.js";
import { createClaimReader } from "./verified-claims.js";

const pem = (key: ReturnType<typeof generateKeyPairSync>["privateKey"]): string => key.export({ type: "pkcs8", format: "pem" }) as string;
const rsa = signingKey(pem(generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey));
const p256 = signingKey(pem(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey));
const issuer = "https://a.example";

/** As kube-apiserver 1.36.4 takes them. */
describe("tokens of service accounts, by the algorithm of their signature", () => {
  const reader = createClaimReader(createFixedKeys(rsa, [p256]));
  const read = (algorithm: JwtAlgorithm, key = rsa) => reader.read(signToken({ iss: issuer, sub: algorithm }, { ...key, algorithm }), [issuer]);
  for (const algorithm of ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"] as const) it(`${algorithm} is good for an RSA key`, () => expect(read(algorithm)).toMatchObject({ claims: { sub: algorithm } }));
  it("ES256 is good for a key on P-256", () => expect(read("ES256", p256)).toMatchObject({ claims: { sub: "ES256" } }));
  it("ES384 is not", () => expect(read("ES384", p256)).toEqual({ issuer, error: "go-jose/go-jose: error in cryptographic primitive" }));
});
