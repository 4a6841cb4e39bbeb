import { once } from "node:events";
import { systemRuntime } from "@coxswain/runtime";
import {
  decodeMessage,
  encodeMessage,
  type Header,
  recordClasses,
  recordTypes,
  responseCodes,
} from "@coxswain/wire/dns";
import { describe, expect, it } from "vitest";
import { connectedPair } from "../../runtime/connected-pair.js";
import { createCoredns } from "./coredns.js";
import { blockOf, parseCorefile } from "./corefile.js";

const corefile = `
.:53 {
    forward . 192.0.2.1 {
      except whoami
    }
    log # all
}
foo.bar.com:53 dns://b.test.:53 {
  whoami
}
`;

describe("a Corefile", () => {
  const blocks = parseCorefile(corefile);
  it("is read as blocks with zones and plugins", () =>
    expect(blocks).toEqual([
      { zones: [""], plugins: ["forward", "log"] },
      { zones: ["foo.bar.com", "b.test"], plugins: ["whoami"] },
    ]));
  for (const { name, first } of [
    { name: "foo.bar.com.", first: "whoami" },
    { name: "A.B.test", first: "whoami" },
    { name: "xfoo.bar.com", first: "forward" },
  ])
    it(`has ${first} for ${name}`, () => expect(blockOf(blocks, name)?.plugins[0]).toBe(first));
});

const header: Header = {
  id: 7,
  isResponse: false,
  opcode: 0,
  authoritative: false,
  truncated: false,
  recursionDesired: true,
  recursionAvailable: false,
  authenticData: false,
  checkingDisabled: false,
  responseCode: 0,
};

async function ask(name: string, files: Record<string, string>, transport: "tcp" | "udp" = "udp") {
  const [ours, theirs] = connectedPair();
  createCoredns({
    args: ["-conf", "/root/Corefile"],
    env: () => "",
    read: async (path) => (files[path] === undefined ? undefined : Buffer.from(files[path])),
    print: () => {},
    runtime: systemRuntime(),
  }).serve(theirs, 53, transport);
  const query = encodeMessage({
    ...header,
    edns: undefined,
    questions: [{ name, type: recordTypes.A, class: recordClasses.IN }],
    answers: [],
    authorities: [],
    additionals: [],
  });
  ours.write(Buffer.concat([Buffer.from([query.length >> 8, query.length & 255]), query]));
  const [bytes] = (await once(ours, "data")) as [Buffer];
  expect(bytes.readUInt16BE(0)).toBe(bytes.length - 2);
  ours.destroy();
  return decodeMessage(bytes.subarray(2));
}

describe("the simulated CoreDNS", () => {
  const files = { "/root/Corefile": corefile };
  it("answers with who asks where its file has whoami", async () =>
    expect(await ask("foo.bar.com", files)).toMatchObject({
      id: 7,
      isResponse: true,
      authoritative: true,
      responseCode: responseCodes.NOERROR,
      additionals: [
        { type: "A", address: "127.0.0.1" },
        { type: "SRV", name: "_udp.foo.bar.com" },
      ],
    }));
  it("fails where only another server would know", async () =>
    expect(await ask("example.org", files)).toMatchObject({ responseCode: responseCodes.SERVFAIL }));
  it("refuses what no block is for", async () =>
    expect(await ask("example.org", { "/root/Corefile": "a.test {\nwhoami\n}" })).toMatchObject({
      responseCode: responseCodes.REFUSED,
    }));
  it("serves whoami for any name without a file", async () =>
    expect(await ask("a.test", {}, "tcp")).toMatchObject({
      additionals: [{ type: "A" }, { name: "_tcp.a.test" }],
    }));
});
