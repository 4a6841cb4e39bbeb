import { describe, expect, it } from "vitest";
import { poly1305 } from "./poly1305.js";
import { hsalsa20 } from "./salsa20.js";
import { openSecretbox, sealSecretbox } from "./secretbox.js";

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

describe("secretbox", () => {
  it("derives the key as published", () =>
    expect(hex(hsalsa20(firstKey, nonce.subarray(0, 16)))).toBe(
      "dc908dda0b9344a953629b733820778880f3ceb421bb61b91cbd4c3e66256ce4",
    ));
  it("seals as published", () => expect(hex(sealSecretbox(firstKey, nonce, message))).toBe(sealed));
  it("opens what it seals", () => expect(hex(openSecretbox(firstKey, nonce, bytes(sealed))!)).toBe(hex(message)));
  it("opens nothing that was changed", () => {
    for (const at of [0, 15, 16, 100, bytes(sealed).length - 1]) {
      const changed = bytes(sealed);
      changed[at]! ^= 1;
      expect(openSecretbox(firstKey, nonce, changed)).toBeUndefined();
    }
  });
});

describe("poly1305", () => {
  // RFC 8439, section 2.5.2 and appendix A.3, where the sums come close to the modulus.
  const cases = [
    {
      key: "85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b",
      message: Buffer.from("Cryptographic Forum Research Group").toString("hex"),
      tag: "a8061dc1305136c6c22b8baf0c0127a9",
    },
    {
      key: "0200000000000000000000000000000000000000000000000000000000000000",
      message: "ffffffffffffffffffffffffffffffff",
      tag: "03000000000000000000000000000000",
    },
    {
      key: "02000000000000000000000000000000ffffffffffffffffffffffffffffffff",
      message: "02000000000000000000000000000000",
      tag: "03000000000000000000000000000000",
    },
    {
      key: "0100000000000000000000000000000000000000000000000000000000000000",
      message: "fffffffffffffffffffffffffffffffff0ffffffffffffffffffffffffffffff11000000000000000000000000000000",
      tag: "05000000000000000000000000000000",
    },
    {
      key: "0100000000000000000000000000000000000000000000000000000000000000",
      message: "fffffffffffffffffffffffffffffffffbfefefefefefefefefefefefefefefe01010101010101010101010101010101",
      tag: "00000000000000000000000000000000",
    },
    {
      key: "0200000000000000000000000000000000000000000000000000000000000000",
      message: "fdffffffffffffffffffffffffffffff",
      tag: "faffffffffffffffffffffffffffffff",
    },
    {
      key: "0100000000000000040000000000000000000000000000000000000000000000",
      message:
        "e33594d7505e43b900000000000000003394d7505e4379cd01000000000000000000000000000000000000000000000001000000000000000000000000000000",
      tag: "14000000000000005500000000000000",
    },
    {
      key: "0100000000000000040000000000000000000000000000000000000000000000",
      message: "e33594d7505e43b900000000000000003394d7505e4379cd010000000000000000000000000000000000000000000000",
      tag: "13000000000000000000000000000000",
    },
    { key: "00".repeat(32), message: "", tag: "00".repeat(16) },
  ];
  for (const { key, message: text, tag } of cases)
    it(tag, () => expect(hex(poly1305(bytes(key), bytes(text)))).toBe(tag));
});
