import { describe, expect, it } from "vitest";
import { longName, padding, paxPath, readTarHeader, writeTarHeader } from "./tar-format.js";

describe("headers of tar archives", () => {
  const header = { name: "a/b", mode: 0o755, size: 1234, type: "0" };

  it("are read as they are written", () =>
    expect(readTarHeader(writeTarHeader({ ...header, modifiedAt: 0 }))).toEqual(header));

  it("of long names have the name before them", () => {
    const name = "d/".repeat(100);
    const written = writeTarHeader({ ...header, name, modifiedAt: 0 });
    expect(readTarHeader(written.subarray(0, 512))).toMatchObject({ type: "L", size: 201 });
    expect(longName(written.subarray(512, 512 + 201))).toBe(name);
    expect(written.length).toBe(3 * 512);
  });

  it("of zeros end the archive", () => expect(readTarHeader(new Uint8Array(512))).toBeUndefined());
  it("with a wrong checksum are refused", () =>
    expect(() => readTarHeader(new Uint8Array(512).fill(65))).toThrow(/checksum/));
  it("of pax have a path", () => expect(paxPath(Buffer.from("12 size=1\n14 path=a/ü\n"))).toBe("a/ü"));
  it("are followed by whole blocks", () =>
    expect([0, 1, 512].map((size) => padding(size).length)).toEqual([0, 511, 0]));
});
