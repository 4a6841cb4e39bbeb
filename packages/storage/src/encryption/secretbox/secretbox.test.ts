import { describe, expect, it } from "vitest";
import { createSecretbox } from "./secretbox.js";

const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(/\s/g, ""), "hex");
const hex = (value: Uint8Array): string => Buffer.from(value).toString("hex");

// From "Cryptography in NaCl" (D. J. Bernstein), sections 8 to 10.
const firstKey = bytes("1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389");
const nonce = bytes("69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37");
const message = bytes(
  "be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffce5ecbaaf33bd751a1ac728d45e6c61296cdc3c01233561f41db66cce314adb310e3be8250c46f06dceea3a7fa1348057e2f6556ad6b1318a024a838f21af1fde048977eb48f59ffd4924ca1c60902e52f0a089bc76897040e082f937763848645e0705",
);
const sealed =
  "f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce48332ea7164d96a4476fb8c531a1186ac0dfc17c98dce87b4da7f011ec48c97271d2c20f9b928fe2270d6fb863d51738b48eeee314a7cc8ab932164548e526ae90224368517acfeabd6bb3732bc0e9da99832b61ca01b6de56244a9e88d5f9b37973f622a43d14a6599b1f654cb45a74e355a5";

const random = { bytes: () => nonce };
const context = Buffer.from("/registry/secrets/default/a");

describe("secretbox", () => {
  const secretbox = createSecretbox(firstKey, random);

  it("seals as published, behind the nonce", async () =>
    expect(hex(await secretbox.write(message, context))).toBe(hex(nonce) + sealed));

  it("opens what is sealed as published", async () => {
    const { value } = await secretbox.read(Buffer.concat([nonce, bytes(sealed)]), context);
    expect(hex(value)).toBe(hex(message));
  });

  const last = bytes(sealed).length - 1;
  for (const at of [0, 15, 16, 100, last])
    it(`refuses what was changed at byte ${at}`, () => {
      const changed = bytes(sealed);
      changed[at]! ^= 1;
      expect(() => secretbox.read(Buffer.concat([nonce, changed]), context)).toThrow("was changed");
    });

  it("refuses what is shorter than nonce and tag", () =>
    expect(() => secretbox.read(nonce, context)).toThrow("shorter than the required size"));
});
