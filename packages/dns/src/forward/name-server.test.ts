import { describe, expect, it } from "vitest";
import { createFrameReader, withLength } from "./length-frames.js";
import { nameServerText, parseNameServer, readResolvConf } from "./name-server.js";

describe("name servers", () => {
  const cases = [
    { text: "10.0.0.1", is: "10.0.0.1:53" },
    { text: "10.0.0.1:5353", is: "10.0.0.1:5353" },
    { text: "fd00::1", is: "[fd00::1]:53" },
    { text: "[fd00::1]:5353", is: "[fd00::1]:5353" },
    { text: "dns.example", is: undefined },
    { text: "10.0.0.1:0", is: undefined },
    { text: "10.0.0.1:65536", is: undefined },
    { text: "", is: undefined },
  ];
  for (const { text, is } of cases)
    it(`"${text}" is ${is ?? "none"}`, () => {
      const server = parseNameServer(text);
      expect(server && nameServerText(server)).toBe(is);
    });

  it("are read from a resolv.conf, at most 15 of them", () => {
    const text =
      "# a comment\nsearch a b\nnameserver 10.0.0.1\n nameserver\tfd00::1 \nnameserver dns.example\noptions ndots:5\n";
    expect(readResolvConf(text).map(nameServerText)).toEqual(["10.0.0.1:53", "[fd00::1]:53"]);
    expect(readResolvConf("nameserver 10.0.0.1\n".repeat(20)).length).toBe(15);
  });
});

it("messages over TCP are the same in pieces of any size", () => {
  const messages = [Buffer.from("a"), Buffer.alloc(300, 1), Buffer.alloc(0), Buffer.alloc(0xffff, 2)];
  const stream = Buffer.concat(messages.map(withLength));
  for (const size of [1, 2, 3, 255, stream.length]) {
    const read: Buffer[] = [];
    const frames = createFrameReader((bytes) => read.push(bytes));
    for (let at = 0; at < stream.length; at += size) frames.push(stream.subarray(at, at + size));
    expect(read.map(({ length }) => length)).toEqual([1, 300, 0, 0xffff]);
    expect(Buffer.concat(read).equals(Buffer.concat(messages))).toBe(true);
  }
});
