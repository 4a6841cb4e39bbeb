import { createVirtualClock } from "@coxswain/runtime/clock";
import { type Message, responseCodes, type SoaRecord } from "@coxswain/wire/dns";
import { describe, expect, it } from "vitest";
import { queryOf } from "../server/loop-probe.js";
import { AnswerCache } from "./answer-cache.js";
import { lifetimeOf } from "./answer-lifetime.js";
import { address, answerTo } from "./fake-server.test.support.js";

const soa: SoaRecord = {
  type: "SOA",
  name: "example",
  class: 1,
  ttl: 20,
  nameServer: "ns.example",
  mailbox: "hostmaster.example",
  serial: 1,
  refresh: 1,
  retry: 1,
  expire: 1,
  minimum: 10,
};
const reply = (changes: Partial<Message> = {}): Message =>
  answerTo(queryOf(1, { name: "a.example", type: 1, class: 1 }), changes);
const alias = { name: "a.example", type: "CNAME", class: 1, ttl: 60, target: "b.example" } as const;

const lifetimes = [
  {
    name: "an answer: the lowest TTL",
    message: reply({ answers: [address("a", "192.0.2.1", 25), address("a", "192.0.2.2", 9)] }),
    is: { kind: "success", seconds: 9 },
  },
  { name: "an answer: at most 30 seconds", message: reply(), is: { kind: "success", seconds: 30 } },
  {
    name: "a TTL of 0 is for the one who asked",
    message: reply({ answers: [address("a", "192.0.2.1", 0)] }),
    is: undefined,
  },
  {
    name: "no data: the minimum of its SOA",
    message: reply({ answers: [], authorities: [soa] }),
    is: { kind: "denial", seconds: 10 },
  },
  {
    name: "no name: the minimum of its SOA",
    message: reply({ answers: [], authorities: [soa], responseCode: responseCodes.NXDOMAIN }),
    is: { kind: "denial", seconds: 10 },
  },
  { name: "no data without a SOA", message: reply({ answers: [] }), is: undefined },
  {
    name: "no name without a SOA",
    message: reply({ answers: [], responseCode: responseCodes.NXDOMAIN }),
    is: undefined,
  },
  { name: "an alias without its end", message: reply({ answers: [alias] }), is: undefined },
  {
    name: "an alias with its end",
    message: reply({ answers: [alias, address("b.example")] }),
    is: { kind: "success", seconds: 30 },
  },
  { name: "a truncated answer", message: reply({ truncated: true }), is: undefined },
  {
    name: "a failure for five seconds",
    message: reply({ answers: [], responseCode: responseCodes.SERVFAIL }),
    is: { kind: "denial", seconds: 5 },
  },
  { name: "a refusal", message: reply({ answers: [], responseCode: responseCodes.REFUSED }), is: undefined },
  {
    name: "data that may hold compressed names",
    message: reply({
      additionals: [{ name: "a", class: 1, ttl: 60, type: "other", code: 14, data: Uint8Array.of(0xc0, 0x0c) }],
    }),
    is: undefined,
  },
];

describe("lifetimes of answers", () => {
  for (const { name, message, is } of lifetimes) it(name, () => expect(lifetimeOf(message)).toEqual(is));
});

describe("AnswerCache", () => {
  it("counts TTLs down and forgets what is over", async () => {
    const clock = createVirtualClock();
    const cache = new AnswerCache({ clock });
    cache.put("a", reply({ answers: [address("a", "192.0.2.1", 20)] }), 100);
    await clock.advance(12_500);
    expect(cache.get("a")?.message.answers[0]?.ttl).toBe(8);
    await clock.advance(7_500);
    expect(cache.get("a")).toBeUndefined();
    expect(cache.count("success")).toBe(0);
  });

  it("is bounded in entries and in octets, and keeps what was used last", () => {
    const cache = new AnswerCache({ clock: createVirtualClock(), maxEntries: 3, maxOctets: 1000 });
    for (const key of ["a", "b", "c"]) cache.put(key, reply(), 100);
    cache.get("a");
    cache.put("d", reply(), 100);
    expect(["a", "b", "c", "d"].filter((key) => cache.get(key))).toEqual(["a", "c", "d"]);
    cache.put("big", reply(), 900);
    expect(["a", "c", "d", "big"].filter((key) => cache.get(key))).toEqual(["d", "big"]);
    cache.put("too big", reply(), 1001);
    expect(cache.count("success")).toBe(2);
  });
});
