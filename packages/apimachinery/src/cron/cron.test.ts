import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { formatTimeIn, isTimeZone, nextTime, parseCronSchedule } from "./index.js";

// Made by the library that upstream uses: `TZ=UTC go run .` in tools/answers/cron.
const answers = JSON.parse(readFileSync(new URL("./testdata/schedules.json", import.meta.url), "utf8")) as {
  due: { schedule: string; after: number; next: number[] }[];
  problems: Record<string, string>;
};

describe("schedules in cron's notation", () => {
  for (const text of new Set(answers.due.map(({ schedule }) => schedule)))
    it(`"${text}" is due when upstream's is`, () => {
      const { schedule } = parseCronSchedule(text);
      expect(schedule).toBeDefined();
      if (!schedule) return;
      for (const { after, next } of answers.due.filter((row) => row.schedule === text)) {
        const due: number[] = [];
        for (let at = nextTime(schedule, after, "UTC"); at !== undefined && due.length < Math.max(next.length, 1); ) {
          due.push(at);
          at = nextTime(schedule, at, "UTC");
        }
        expect(due).toEqual(next);
      }
    });
  for (const [text, problem] of Object.entries(answers.problems))
    it(`"${text}" is ${problem === "" ? "right" : "wrong"} as for upstream`, () =>
      expect(parseCronSchedule(text).problem ?? "").toBe(problem));
  it("without a zone are in that of the caller", () => {
    const { schedule } = parseCronSchedule("0 6 * * *");
    const after = Date.UTC(2026, 0, 1);
    expect(schedule && nextTime(schedule, after, "Asia/Tokyo")).toBe(Date.UTC(2026, 0, 1, 21));
    expect(schedule && nextTime(schedule, after, "UTC")).toBe(Date.UTC(2026, 0, 1, 6));
  });
});

describe("time zones", () => {
  const summer = Date.UTC(2026, 6, 1, 12);
  const rows: { zone: string; text: string }[] = [
    { zone: "UTC", text: "2026-07-01T12:00:00Z" },
    { zone: "Europe/London", text: "2026-07-01T13:00:00+01:00" },
    { zone: "America/St_Johns", text: "2026-07-01T09:30:00-02:30" },
    { zone: "Asia/Kolkata", text: "2026-07-01T17:30:00+05:30" },
  ];
  for (const { zone, text } of rows) it(`${zone} has its offset`, () => expect(formatTimeIn(zone, summer)).toBe(text));
  it("are known by their names", () =>
    expect(["Europe/Berlin", "UTC", "europe/berlin", "Nowhere/Land", ""].map(isTimeZone)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]));
});
