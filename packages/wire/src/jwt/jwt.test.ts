import { constants, createHmac, generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  jwtAlgorithms,
  keySet,
  readKeySet,
  signingKey,
  signToken,
  verificationKey,
  verificationKeys,
  verifyPublished,
  verifyToken,
} from "./index.js";

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({
  type: "pkcs8",
  format: "pem",
}) as string;
const curveKey = (namedCurve: string) =>
  signingKey(generateKeyPairSync("ec", { namedCurve }).privateKey.export({ type: "pkcs8", format: "pem" }) as string);
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("JSON Web Tokens", () => {
  for (const [name, key] of [
    ["ES256", signingKey()],
    ["RS256", signingKey(rsa)],
    ["ES384", curveKey("P-384")],
    ["ES512", curveKey("P-521")],
  ] as const) {
    it(`${name}: what is signed is verified`, () => {
      const token = signToken({ sub: "a", aud: ["b"] }, key);
      expect(JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString())).toEqual({
        alg: name,
        kid: key.id,
      });
      expect(verifyToken(token, [key])).toEqual({ aud: ["b"], sub: "a" });
    });
  }

  const key = signingKey();
  const token = signToken({ sub: "a" }, key);
  const [head = "", body = "", signature = ""] = token.split(".");
  function symmetric(): string {
    const signed = `${part({ alg: "HS256", kid: key.id })}.${body}`;
    return `${signed}.${createHmac("sha256", key.key.export({ type: "spki", format: "pem" }) as string)
      .update(signed)
      .digest("base64url")}`;
  }
  const refused = [
    { name: "another key", token, keys: [signingKey()] },
    { name: "other claims", token: `${head}.${part({ sub: "b" })}.${signature}`, keys: [key] },
    { name: "no signature", token: `${head}.${body}.`, keys: [key] },
    { name: "an algorithm of its own choice", token: `${part({ alg: "none", kid: key.id })}.${body}.`, keys: [key] },
    { name: "a fourth part", token: `${token}.x`, keys: [key] },
    { name: "HS256 with the public key as its secret", token: symmetric(), keys: [key] },
    {
      name: "another algorithm of the same kind of key",
      token: `${part({ alg: "ES384", kid: key.id })}.${body}.${signature}`,
      keys: [key],
    },
    { name: "a signature in another spelling", token: `${token}=`, keys: [key] },
    {
      name: "a signature with bits that count for nothing",
      token:
        token.slice(0, -1) + (token.endsWith("A") ? "B" : String.fromCharCode(token.charCodeAt(token.length - 1) + 1)),
      keys: [key],
    },
    { name: "line breaks", token: `${head}.${body}.\n${signature}`, keys: [key] },
    {
      name: "a key whose name is another",
      token: `${part({ alg: "ES256", kid: "other" })}.${body}.${signature}`,
      keys: [key],
    },
    { name: "nonsense", token: "x", keys: [key] },
    { name: "a signature that is too short", token: `${head}.${body}.${signature.slice(0, 20)}`, keys: [key] },
  ];
  for (const { name, token: sent, keys } of refused)
    it(`refuses ${name}`, () => expect(verifyToken(sent, keys)).toBeUndefined());

  for (const saltLength of [0, 32, constants.RSA_PSS_SALTLEN_MAX_SIGN]) {
    it(`takes PS256 with any salt: ${saltLength}`, () => {
      const signer = signingKey(rsa);
      const signed = `${part({ alg: "PS256" })}.${part({ sub: "a" })}`;
      const text = `${signed}.${sign("sha256", Buffer.from(signed), { key: signer.privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }).toString("base64url")}`;
      expect(verifyPublished(text, [{ id: "", algorithm: undefined, key: signer.key }], undefined)).toEqual({
        sub: "a",
      });
    });
  }

  it("exports its keys as a JSON Web Key Set", () => {
    expect(keySet([key]).keys).toEqual([
      { use: "sig", kty: "EC", crv: "P-256", x: expect.any(String), y: expect.any(String), kid: key.id, alg: "ES256" },
    ]);
    expect(Object.keys(keySet([key]).keys[0] ?? {}).join(), "in the order in which upstream writes them").toBe(
      "use,kty,kid,crv,alg,x,y",
    );
    expect(verificationKey(key.key).id).toBe(key.id);
  });

  it("reads several keys of a file", () =>
    expect(
      verificationKeys(`${rsa}\n${key.key.export({ type: "spki", format: "pem" }) as string}`).map(
        ({ algorithm }) => algorithm,
      ),
    ).toEqual(["RS256", "ES256"]));
  it("refuses a file without keys", () => expect(() => verificationKeys("hello")).toThrow("no key"));

  describe("with published keys", () => {
    const published = readKeySet(keySet([key]));
    it("checks tokens", () => expect(verifyPublished(token, published, jwtAlgorithms)).toEqual({ sub: "a" }));
    it("takes allowed algorithms only", () => expect(verifyPublished(token, published, ["RS256"])).toBeUndefined());
    it("passes over keys of other kinds", () =>
      expect(
        readKeySet({ keys: [{ kty: "oct", k: "AAAA" }, { kty: "RSA", n: "" }, { kty: "EC", use: "enc" }, null] }),
      ).toEqual([]));
    it("refuses what is no set", () => expect(() => readKeySet({})).toThrow("keys"));
  });
});
