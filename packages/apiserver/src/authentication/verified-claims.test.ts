import { generateKeyPairSync } from "node:crypto";
import { createMetrics } from "@coxswain/component/metrics";
import { systemClock } from "@coxswain/runtime/clock";
import { type JwtAlgorithm, signingKey, signToken } from "@coxswain/wire/jwt";
import { describe, expect, it } from "vitest";
import { createTokenCacheMetrics } from "./token-cache-metrics.js";
import { createFixedKeys } from "./token-keys.js";
import { createClaimReader } from "./verified-claims.js";

const pem = (key: ReturnType<typeof generateKeyPairSync>["privateKey"]): string =>
  key.export({ type: "pkcs8", format: "pem" }) as string;
const rsa = signingKey(pem(generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey));
const p256 = signingKey(pem(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey));
const issuer = "https://a.example";
const metrics = createMetrics();

/** As kube-apiserver 1.36.4 takes them. */
describe("tokens of service accounts, by the algorithm of their signature", () => {
  const reader = createClaimReader(createFixedKeys(rsa, [p256]), createTokenCacheMetrics(metrics, systemClock));
  const read = (algorithm: JwtAlgorithm, key = rsa) =>
    reader.read(signToken({ iss: issuer, sub: algorithm }, { ...key, algorithm }), [issuer]);
  for (const algorithm of ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"] as const)
    it(`${algorithm} is good for an RSA key`, () =>
      expect(read(algorithm)).toMatchObject({ claims: { sub: algorithm } }));
  it("ES256 is good for a key on P-256", () => expect(read("ES256", p256)).toMatchObject({ claims: { sub: "ES256" } }));
  it("ES384 is not", () =>
    expect(read("ES384", p256)).toEqual({ issuer, error: "go-jose/go-jose: error in cryptographic primitive" }));
  it("what was verified is remembered, which is counted", async () => {
    const token = signToken({ iss: issuer, sub: "twice" }, p256);
    const before = await countsOf();
    for (let time = 0; time < 3; time++) await reader.read(token, [issuer]);
    await reader.read(token, ["https://another.example"]);
    const after = await countsOf();
    expect([...after].map(([name, count]) => [name, count - (before.get(name) ?? 0)])).toEqual([
      ["fetch_total error", 0],
      ["fetch_total ok", 1],
      ["request_total hit", 2],
      ["request_total miss", 1],
    ]);
  });
});

async function countsOf(): Promise<Map<string, number>> {
  return new Map(
    [...(await metrics.text()).matchAll(/^authentication_token_cache_(\w+_total){status="(\w+)"} (\d+)$/gm)].map(
      ([, name = "", status = "", count]) => [`${name} ${status}`, Number(count)],
    ),
  );
}
