import { createVirtualClock } from "@coxswain/runtime/clock";
import { encodeMessage, type Message, nameOfResponseCode } from "@coxswain/wire/dns";
import { describe, expect, it } from "vitest";
import { acceptQuery } from "./accept-query.js";
import { createClientLimiter } from "./client-limiter.js";
import { queryOf } from "./loop-probe.js";

const query = (changes: Partial<Message> = {}): Uint8Array =>
  encodeMessage({ ...queryOf(1, { name: "a.example", type: 1, class: 1 }), ...changes });
const edns = { udpSize: 1232, version: 0, dnssecOk: false, options: [] };
const question = { name: "a.example", type: 1, class: 1 };
const record = { name: "a", class: 1, ttl: 1, type: "A", address: "192.0.2.1" } as const;

const cases = [
  { name: "an ordinary query", bytes: query({ edns }), is: "query" },
  { name: "nothing", bytes: new Uint8Array(), is: "ignored" },
  { name: "less than a head", bytes: new Uint8Array(11), is: "ignored" },
  { name: "a response", bytes: query({ isResponse: true }), is: "ignored" },
  { name: "a dynamic update", bytes: query({ opcode: 5 }), is: "NOTIMP" },
  { name: "no question", bytes: query({ questions: [] }), is: "FORMERR" },
  { name: "two questions", bytes: query({ questions: [question, question] }), is: "FORMERR" },
  { name: "two answers", bytes: query({ answers: [record, record] }), is: "FORMERR" },
  { name: "three additional records", bytes: query({ additionals: [record, record, record] }), is: "FORMERR" },
  { name: "octets behind the question", bytes: Buffer.concat([query(), Buffer.from("x")]), is: "FORMERR" },
  { name: "class CH", bytes: query({ questions: [{ ...question, class: 3 }] }), is: "REFUSED" },
  { name: "another version of EDNS", bytes: query({ edns: { ...edns, version: 1 } }), is: "BADVERS" },
];

describe("what is accepted", () => {
  for (const { name, bytes, is } of cases)
    it(`${name}: ${is}`, () => {
      const accepted = acceptQuery(bytes, { anyClass: false });
      expect(accepted.kind === "rejected" ? nameOfResponseCode(accepted.response.responseCode) : accepted.kind).toBe(
        is,
      );
      if (accepted.kind === "rejected") expect(() => encodeMessage(accepted.response)).not.toThrow();
    });
});

it("classes other than IN are accepted where there are other servers for them", () => {
  const chaos = query({ questions: [{ ...question, class: 3 }] });
  expect(acceptQuery(chaos, { anyClass: true }).kind).toBe("query");
});

describe("the limit of a client", () => {
  it("begins anew each second, and is its own", async () => {
    const clock = createVirtualClock();
    const { allow } = createClientLimiter(clock, 2);
    expect(["a", "a", "a", "b"].map(allow)).toEqual([true, true, false, true]);
    await clock.advance(1000);
    expect(allow("a")).toBe(true);
  });

  it("is shared by all above ten thousand clients, so that forged addresses fill no memory", () => {
    const { allow } = createClientLimiter(createVirtualClock(), 2);
    for (let at = 0; at < 10_000; at++) allow(`client-${at}`);
    expect(["x", "y", "z"].map(allow)).toEqual([true, true, false]);
    expect(allow("client-7")).toBe(true);
  });

  it("of 0 is none", () => {
    const { allow } = createClientLimiter(createVirtualClock(), 0);
    expect(Array.from({ length: 100 }, () => allow("a")).every(Boolean)).toBe(true);
  });
});
