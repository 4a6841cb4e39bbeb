import { createHmac } from "node:crypto";
import { createSeededRandom } from "@coxswain/runtime/random";
import { describe, expect, it } from "vitest";
import { drawToken, formatToken, parseToken, tokenRow, tokenSecret } from "./bootstrap-token.js";
import { checkSignature } from "./discover-cluster.js";

describe("a bootstrap token", () => {
  it("is drawn in the form that kubeadm reads", () => {
    const text = formatToken(drawToken(createSeededRandom(1)));
    expect(parseToken(text)).toBeDefined();
  });
  for (const text of [
    "",
    "abcdef",
    "abcdef.0123",
    "ABCDEF.0123456789abcdef",
    "abcdef.0123456789abcdeg ",
    "abcdef-0123456789abcdef",
  ])
    it(`is not ${JSON.stringify(text)}`, () => expect(parseToken(text)).toBeUndefined());

  it("is listed from the Secret that it was written to", () => {
    const terms = { expiresAt: Date.UTC(2026, 0, 2), description: "for b", groups: ["system:bootstrappers:x"] };
    const { stringData = {}, ...secret } = tokenSecret({ id: "abcdef", secret: "0123456789abcdef" }, terms);
    const data = Object.fromEntries(Object.entries(stringData).map(([key, value]) => [key, btoa(value)]));
    expect(tokenRow({ ...secret, data })).toEqual({
      token: "abcdef.0123456789abcdef",
      expiresAt: terms.expiresAt,
      usages: ["authentication", "signing"],
      description: "for b",
      groups: "system:bootstrappers:x",
    });
  });
});

describe("cluster-info", () => {
  const token = { id: "abcdef", secret: "0123456789abcdef" };
  const sign = (content: string, secret: string, header = { alg: "HS256", kid: "abcdef" }): string => {
    const head = Buffer.from(JSON.stringify(header)).toString("base64url");
    const signed = createHmac("sha256", secret).update(`${head}.${Buffer.from(content).toString("base64url")}`);
    return `${head}..${signed.digest("base64url")}`;
  };
  const check = (signature: string | undefined, kubeconfig = "content"): void =>
    checkSignature({ kubeconfig, data: signature === undefined ? {} : { "jws-kubeconfig-abcdef": signature } }, token);

  it("that the token signed is trusted", () => expect(() => check(sign("content", token.secret))).not.toThrow());
  const refused = [
    { name: "without a signature", signature: undefined, error: "no signature" },
    { name: "that another token signed", signature: sign("content", "another"), error: "does not fit" },
    { name: "whose content is another", signature: sign("other", token.secret), error: "does not fit" },
    { name: "with an empty signature", signature: "e30..", error: "does not fit" },
    { name: "whose signature has no form", signature: "", error: "does not fit" },
  ];
  for (const { name, signature, error } of refused)
    it(`${name} is refused`, () => expect(() => check(signature)).toThrow(error));
});
