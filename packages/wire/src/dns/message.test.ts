import * as dnsPacket from "dns-packet";
import { describe, expect, it } from "vitest";
import { decodeMessage } from "./decode-message.js";
import { DnsError } from "./dns-error.js";
import { encodeMessage } from "./encode-message.js";
import { everyRecord, message } from "./message.test.support.js";
import type { AddressRecord } from "./resource-record.js";

const edns = { udpSize: 1232, version: 0, dnssecOk: true, options: [{ code: 10, data: Uint8Array.of(1, 2, 3) }] };

describe("a message", () => {
  it("is the same after encoding and decoding, with every type of record in every section", () => {
    const all = message({
      isResponse: true,
      authoritative: true,
      recursionAvailable: true,
      authenticData: true,
      checkingDisabled: true,
      responseCode: 16,
      answers: everyRecord,
      authorities: everyRecord,
      additionals: everyRecord,
      edns,
    });
    expect(decodeMessage(encodeMessage(all))).toEqual(all);
  });

  it("is read by another codec as it was written", () => {
    const bytes = encodeMessage(message({ isResponse: true, authoritative: true, answers: everyRecord, edns }));
    const read = dnsPacket.decode(bytes);
    expect(read).toMatchObject({ id: 0x1234, type: "response", flag_aa: true, flag_rd: true, flag_tc: false });
    expect(read.questions).toEqual([{ name: "web.default.svc.cluster.local", type: "A", class: "IN" }]);
    expect(read.answers?.map((answer) => "data" in answer && answer.data)).toEqual([
      "10.96.0.1",
      "fd00::1",
      "www.example.com",
      "ns.dns.cluster.local",
      "web.default.svc.cluster.local",
      { priority: 0, weight: 100, port: 80, target: "web.default.svc.cluster.local" },
      { preference: 10, exchange: "mail.example.com" },
      [Buffer.from("1.1.0"), Buffer.from("")],
      {
        mname: "ns.dns.cluster.local",
        rname: "hostmaster.cluster.local",
        serial: 0xffff_ffff,
        refresh: 7200,
        retry: 1800,
        expire: 86400,
        minimum: 5,
      },
      Buffer.of(0, 1, 0),
    ]);
    expect(read.additionals).toMatchObject([{ type: "OPT", udpPayloadSize: 1232, flag_do: true }]);
  });

  it("that another codec wrote is read", () => {
    const bytes = dnsPacket.encode({
      id: 7,
      type: "response",
      flags: dnsPacket.RECURSION_DESIRED | dnsPacket.RECURSION_AVAILABLE,
      questions: [{ type: "SRV", name: "_http._tcp.a.example" }],
      answers: [{ type: "SRV", name: "_http._tcp.a.example", ttl: 9, data: { port: 80, target: "b.example" } }],
      additionals: [{ type: "A", name: "b.example", ttl: 8, data: "192.0.2.1" }],
    });
    const read = decodeMessage(bytes);
    expect(read.questions).toEqual([{ name: "_http._tcp.a.example", type: 33, class: 1 }]);
    expect(read.answers).toMatchObject([{ type: "SRV", ttl: 9, port: 80, target: "b.example" }]);
    expect(read.additionals).toEqual([{ name: "b.example", class: 1, ttl: 8, type: "A", address: "192.0.2.1" }]);
  });
});

describe("names", () => {
  it("are compressed where the same end was written before, and only in the same case", () => {
    const once = encodeMessage(message({ answers: everyRecord.slice(0, 1) }));
    const question = encodeMessage(message());
    expect(once.length - question.length).toBe(2 + 10 + 4);
    const other = { ...everyRecord[0]!, name: "WEB.default.svc.cluster.local" };
    const mixed = encodeMessage(message({ answers: [other] }));
    expect(mixed.length - question.length).toBe(1 + 3 + 2 + 10 + 4);
    expect(decodeMessage(mixed).answers[0]?.name).toBe(other.name);
  });

  it("in SRV records are written in full, and later names point to them", () => {
    const [address, srv] = [everyRecord[0]!, everyRecord[5]!];
    const questions = [{ name: srv.name, type: 33, class: 1 }];
    const alone = encodeMessage(message({ questions })).length;
    const withSrv = encodeMessage(message({ questions, answers: [srv] })).length;
    expect(withSrv - alone).toBe(2 + 10 + 6 + "web.default.svc.cluster.local".length + 2);
    expect(encodeMessage(message({ questions, answers: [srv], additionals: [address] })).length - withSrv).toBe(16);
  });

  const escaped = [
    { octets: "a dot in a label", name: "a\\.b.example" },
    { octets: "a dot at the end of the last label", name: "a\\." },
    { octets: "a label of a dot", name: "\\." },
    { octets: "a backslash at the end of a label", name: "a\\\\.b" },
    { octets: "a backslash", name: "a\\\\b.example" },
    { octets: "octets that are not printable", name: "\\000\\255\\032.example" },
    { octets: "nothing: the root", name: "" },
  ];
  for (const { octets, name } of escaped)
    it(`keep ${octets}`, () => {
      const questions = [{ name, type: 1, class: 1 }];
      expect(decodeMessage(encodeMessage(message({ questions }))).questions).toEqual(questions);
    });

  const bad = [
    { name: "a..b", why: "an empty label" },
    { name: "a.", why: "a last dot" },
    { name: ".a", why: "a first dot" },
    { name: `${"a".repeat(64)}.b`, why: "a label of 64 octets" },
    { name: Array.from({ length: 130 }, () => "a").join("."), why: "more than 255 octets" },
    { name: "ü€", why: "a character that is no octet" },
  ];
  for (const { name, why } of bad)
    it(`with ${why} are not written`, () => {
      expect(() => encodeMessage(message({ questions: [{ name, type: 1, class: 1 }] }))).toThrow(DnsError);
    });

  it("of 255 octets are written and read", () => {
    const name = Array.from({ length: 127 }, () => "a").join(".");
    const questions = [{ name, type: 1, class: 1 }];
    expect(decodeMessage(encodeMessage(message({ questions }))).questions).toEqual(questions);
  });
});

describe("bytes that are no message", () => {
  const head = "123401000001000000000000";
  const cases = [
    { title: "fewer octets than a head", hex: "1234" },
    { title: "a question that is not there", hex: head },
    { title: "a pointer to itself", hex: `${head}c00c00010001` },
    { title: "a pointer forwards", hex: `${head}c00e000100010000` },
    { title: "two pointers at each other", hex: `${head}0161c0100162c00c00010001` },
    { title: "a label with a reserved length", hex: `${head}4161000001000100` },
    { title: "a name beyond the end", hex: `${head}3f6161` },
    { title: "octets behind the last record", hex: `${head}0000010001ff` },
    { title: "an A record of five octets", hex: "12348180000000010000000000000100010000000500050a00000101" },
    { title: "65,535 records that are not there", hex: "1234010000000000ffffffff" },
    { title: "an OPT record among the answers", hex: "1234818000000001000000000000290400000000000000" },
    { title: "two OPT records", hex: "1234010000000000000000020000290400000000000000000029040000000000000000" },
    { title: "an option beyond its OPT record", hex: "12340100000000000000000100002904000000000000040003ffff" },
  ];
  for (const { title, hex } of cases)
    it(`are refused: ${title}`, () => expect(() => decodeMessage(Buffer.from(hex, "hex"))).toThrow(DnsError));

  it("a name that grows beyond 255 octets by its pointer is refused", () => {
    const label = `3f${"61".repeat(63)}`;
    const long = `${label.repeat(3)}00`;
    const questions = `123401000002000000000000${long}00010001${label}${label}c00c00010001`;
    expect(() => decodeMessage(Buffer.from(questions, "hex"))).toThrow("more than 255 octets");
  });
});

describe("truncation", () => {
  const addresses = (count: number): AddressRecord[] =>
    Array.from({ length: count }, (_, at) => ({
      ...(everyRecord[0] as AddressRecord),
      address: `10.0.${at >> 8}.${at & 255}`,
    }));

  it("leaves out the records from the first one that does not fit, marks the message, and keeps OPT", () => {
    const full = message({ isResponse: true, answers: addresses(200), additionals: everyRecord.slice(0, 1), edns });
    const bytes = encodeMessage(full, 512);
    const read = decodeMessage(bytes);
    expect(bytes.length).toBeLessThanOrEqual(512);
    expect(bytes.length).toBeGreaterThan(512 - 16);
    expect(read.truncated).toBe(true);
    expect(read.answers).toEqual(full.answers.slice(0, read.answers.length));
    expect(read.additionals).toEqual([]);
    expect(read.edns).toEqual(edns);
  });

  it("does not happen to a message that fits exactly", () => {
    const exact = message({ answers: addresses(10) });
    const { length } = encodeMessage(exact);
    expect(decodeMessage(encodeMessage(exact, length)).truncated).toBe(false);
    expect(decodeMessage(encodeMessage(exact, length - 1))).toMatchObject({ truncated: true, answers: { length: 9 } });
  });

  it("happens over TCP, too, at 65,535 octets", () => {
    const read = decodeMessage(encodeMessage(message({ answers: addresses(5000) })));
    expect(read.truncated).toBe(true);
    expect(read.answers.length).toBe(Math.floor((0xffff - 12 - 35) / 16));
  });
});
