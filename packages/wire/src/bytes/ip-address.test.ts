import { isIP } from "node:net";
import { expect, it } from "vitest";
import { addressBytes, formatAddress } from "./ip-address.js";

const cases = [
  { text: "10.96.0.1", hex: "0a600001" },
  { text: "::1", hex: "00000000000000000000000000000001" },
  { text: "::", hex: "00000000000000000000000000000000" },
  { text: "fe80::", hex: "fe800000000000000000000000000000" },
  { text: "2001:db8::1:0:0:1", hex: "20010db8000000000001000000000001" },
  { text: "1:2:3:4:5:6:7:8", hex: "00010002000300040005000600070008" },
  { text: "1:0:3:4:5:6:7:8", hex: "00010000000300040005000600070008" },
];
for (const { text, hex } of cases) {
  it(text, () => {
    expect(addressBytes(text)?.toString("hex")).toBe(hex);
    expect(formatAddress(Buffer.from(hex, "hex"))).toBe(text);
  });
}

it("reads a dotted tail", () =>
  expect(addressBytes("::ffff:1.2.3.4")?.toString("hex")).toBe("00000000000000000000ffff01020304"));
for (const text of ["", "a", "1.2.3", "256.1.1.1", "::1%lo", "1::2::3"])
  it(`${JSON.stringify(text)} is none`, () => expect(addressBytes(text)).toBeUndefined());

it("knows the addresses that Node knows", () => {
  const parts = [
    "",
    ":",
    "::",
    "1",
    "0",
    "00",
    "255",
    "256",
    "ffff",
    "12345",
    "g",
    ".",
    "1.2.3.4",
    "01.2.3.4",
    "1:2:3:4",
    "5:6:7:8",
    "%0",
  ];
  const wrong: string[] = [];
  for (const a of parts)
    for (const b of parts)
      for (const c of parts) {
        const text = a + b + c;
        const kind = text.includes("%") ? 0 : isIP(text);
        if ((addressBytes(text)?.length ?? 0) !== (kind === 0 ? 0 : kind === 4 ? 4 : 16)) wrong.push(text);
      }
  expect(wrong).toEqual([]);
});
