import { expect, it } from "vitest";
import { decodeCertificates, decodePem, encodePem } from "./pem.js";

const bytes = Buffer.from(Array.from({ length: 100 }, (_, index) => index));

it("reads what it writes, with text around it and Windows line ends", () => {
  const text = `subject=x\n${encodePem("CERTIFICATE", bytes)}more\n${encodePem("EC PRIVATE KEY", bytes)}`.replaceAll(
    "\n",
    "\r\n",
  );
  expect(decodePem(text)).toEqual([
    { label: "CERTIFICATE", bytes },
    { label: "EC PRIVATE KEY", bytes },
  ]);
  expect(decodeCertificates(text)).toEqual([bytes]);
});
it("wraps at 64 characters", () =>
  expect(
    Math.max(
      ...encodePem("X", bytes)
        .split("\n")
        .map((line) => line.length),
    ),
  ).toBe(64));
it("passes over headers", () =>
  expect(decodePem("-----BEGIN X-----\nProc-Type: 4\nDEK-Info: y\n\nAAAA\n-----END X-----")).toEqual([
    { label: "X", bytes: Buffer.alloc(3) },
  ]));
for (const text of [
  "",
  "-----BEGIN X-----\nAAAA\n-----END Y-----",
  "-----BEGIN X-----\n****\n-----END X-----",
  "-----BEGIN X-----\nAAAA",
]) {
  it(`finds no block in ${JSON.stringify(text)}`, () => expect(decodePem(text)).toEqual([]));
}
it("headers with many colons and no end are read in linear time", () => {
  const headers = "a:b:c:d\n".repeat(20_000);
  expect(decodePem(`-----BEGIN X-----\n${headers}-----END X-----`)).toEqual([]);
});
