import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { keySet, signingKey, signToken, verificationKey, verifyToken } from "./index.js";

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" }) as string;
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("JSON Web Tokens", () => {
  for (const [name, key] of [["ES256", signingKey()], ["RS256", signingKey(rsa)]] as const) {
    it(`${name}: what is signed is verified`, () => {
      const token = signToken({ sub: "a", aud: ["b"] }, key);
      expect(JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString())).toEqual({ alg: name, kid: key.id });
      expect(verifyToken(token, [key])).toEqual({ aud: ["b"], sub: "a" });
    });
  }

  const key = signingKey();
  const token = signToken({ sub: "a" }, key);
  const [head = "", body = "", signature = ""] = token.split(".");
  const refused = [
    { name: "another key", token, keys: [signingKey()] },
    { name: "other claims", token: `${head}.${part({ sub: "b" })}.${signature}`, keys: [key] },
    { name: "no signature", token: `${head}.${body}.`, keys: [key] },
    { name: "an algorithm of its own choice", token: `${part({ alg: "none", kid: key.id })}.${body}.`, keys: [key] },
    { name: "a fourth part", token: `${token}.x`, keys: [key] },
    { name: "nonsense", token: "x", keys: [key] },
    { name: "a signature that is too short", token: `${head}.${body}.${signature.slice(0, 20)}`, keys: [key] },
  ];
  for (const { name, token: sent, keys } of refused) it(`refuses ${name}`, () => expect(verifyToken(sent, keys)).toBeUndefined());

  it("says its keys as a set", () => {
    expect(keySet([key]).keys).toEqual([{ use: "sig", kty: "EC", crv: "P-256", x: expect.any(String), y: expect.any(String), kid: key.id, alg: "ES256" }]);
    expect(verificationKey(key.key).id).toBe(key.id);
  });
});
