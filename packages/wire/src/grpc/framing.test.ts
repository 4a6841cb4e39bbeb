import { describe, expect, it } from "vitest";
import { parseEndpoint } from "./endpoint.js";
import { FrameReader, frame } from "./framing.js";
import { decodeMetadata, encodeMetadata, encodeTimeout } from "./metadata.js";
import { decodeStatusMessage, encodeStatusMessage } from "./status.js";

describe("FrameReader", () => {
  const messages = ["", "a", "b".repeat(300), "", "c".repeat(70_000)].map((text) => Buffer.from(text));
  const bytes = Buffer.concat(messages.map(frame));
  for (const size of [1, 3, 5, 7, 64, 16_384, bytes.length]) {
    it(`finds the messages in pieces of ${size} bytes`, () => {
      const found: string[] = [];
      const reader = new FrameReader(100_000, (message) => found.push(message.toString()));
      for (let offset = 0; offset < bytes.length; offset += size) reader.push(bytes.subarray(offset, offset + size));
      expect(found).toEqual(messages.map(String));
      expect(reader.idle).toBe(true);
    });
  }

  const refused = [
    { name: "compressed messages", bytes: [1, 0, 0, 0, 0] },
    { name: "messages over the limit", bytes: [0, 0, 0, 0, 11] },
  ];
  for (const { name, bytes } of refused)
    it(`refuses ${name}`, () =>
      expect(() => new FrameReader(10, () => undefined).push(Buffer.from(bytes))).toThrow(/compressed|over the limit/));
});

describe("metadata", () => {
  it("carries text and bytes, without gRPC's own headers", () => {
    const metadata = new Map<string, string | Uint8Array>([
      ["token", "a"],
      ["x-bin", Buffer.from([1, 2])],
    ]);
    expect(
      decodeMetadata([
        [":status", "200"],
        ["content-type", "application/grpc"],
        ["grpc-status", "0"],
        ...encodeMetadata(metadata),
      ]),
    ).toEqual(metadata);
  });

  const timeouts = [
    { ms: 1, text: "1m" },
    { ms: 0.2, text: "1m" },
    { ms: 5000, text: "5000m" },
    { ms: 1e9, text: "1000000S" },
    { ms: 1e15, text: "99999999S" },
  ];
  for (const { ms, text } of timeouts) it(`${ms} ms is ${text}`, () => expect(encodeTimeout(ms)).toBe(text));
});

describe("status messages", () => {
  for (const text of ["plain", "100 % ü\n", ""])
    it(JSON.stringify(text), () => expect(decodeStatusMessage(encodeStatusMessage(text))).toBe(text));
  it("keeps what is no escape", () => expect(decodeStatusMessage("50% off")).toBe("50% off"));
});

describe("parseEndpoint", () => {
  const cases = [
    {
      url: "http://127.0.0.1:2379",
      secure: false,
      authority: "127.0.0.1:2379",
      address: { host: "127.0.0.1", port: 2379 },
    },
    {
      url: "https://etcd.example",
      secure: true,
      authority: "etcd.example",
      address: { host: "etcd.example", port: 443 },
    },
    { url: "https://[::1]:2379/", secure: true, authority: "[::1]:2379", address: { host: "::1", port: 2379 } },
    { url: "unix:///run/kms.sock", secure: false, authority: "localhost", address: { path: "/run/kms.sock" } },
    { url: "unix:@abstract", secure: false, authority: "localhost", address: { path: "@abstract" } },
  ];
  for (const { url, ...endpoint } of cases) it(url, () => expect(parseEndpoint(url)).toEqual({ url, ...endpoint }));
  for (const url of ["", "127.0.0.1:2379", "ftp://a", "http://a:1/path", "http://user@a", "http://"])
    it(`${JSON.stringify(url)} is none`, () => expect(() => parseEndpoint(url)).toThrow(/is no endpoint/));
});
