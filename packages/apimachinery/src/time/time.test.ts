import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as time from "./index.js";

// Made by upstream's own library: `go run . <table>` in tools/answers/vocabulary.
const table = <T>(name: string): T[] =>
  JSON.parse(readFileSync(new URL(`./testdata/${name}.json`, import.meta.url), "utf8")) as T[];

describe("times", () => {
  interface Row {
    text: string;
    time?: string | null;
    error?: string;
    micro?: string | null;
    microError?: string;
  }
  for (const { text, ...answer } of table<Row>("times")) {
    it(JSON.stringify(text), () => {
      expect({ time: time.canonicalTime(text), micro: time.canonicalMicroTime(text) }).toEqual({
        time: answer.time,
        micro: answer.micro,
      });
      expect({ error: time.parseTime(text).error, microError: time.parseMicroTime(text).error }).toEqual({
        error: answer.error,
        microError: answer.microError,
      });
    });
  }
  it("are made of milliseconds", () => {
    expect(time.formatTime(1_704_164_645_999)).toBe("2024-01-02T03:04:05Z");
    expect(time.formatMicroTime(1_704_164_645_123.456)).toBe("2024-01-02T03:04:05.123456Z");
    expect(time.formatMicroTime(-1)).toBe("1969-12-31T23:59:59.999000Z");
  });
  it("become milliseconds", () => {
    expect(time.parseTimeMs("2024-01-02T03:04:05.1239Z")).toBe(1_704_164_645_123);
    expect(time.parseTimeMs("tomorrow")).toBeUndefined();
  });
});

describe("durations", () => {
  for (const { text, ...answer } of table<{ text: string; string?: string; error?: string }>("durations")) {
    it(JSON.stringify(text), () => {
      expect(time.canonicalDuration(text)).toBe(answer.string);
      expect(time.parseDuration(text).error).toBe(answer.error);
    });
  }
  it("become milliseconds and are made of them", () => {
    expect(time.parseDurationMs("1.5s")).toBe(1500);
    expect(time.formatDurationMs(90_000)).toBe("1m30s");
  });
});

describe("durations for people", () => {
  for (const [ms, human, short] of table<[number, string, string]>("human-durations")) {
    it(`${ms} ms is ${human}`, () =>
      expect([time.humanDuration(ms), time.shortHumanDuration(ms)]).toEqual([human, short]));
  }
});

describe("a duration before the caller is known", () => {
  it("is read up to 4 KiB", () => expect(time.parseDuration("1s".repeat(2048)).nanoseconds).toBe(2_048_000_000_000n));
  it("is refused without reading it beyond that", () =>
    expect(time.parseDuration("1s".repeat(500_000)).error).toBe("time: invalid duration of more than 4096 characters"));
});
