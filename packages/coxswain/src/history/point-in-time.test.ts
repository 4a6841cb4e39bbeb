import { describe, expect, it } from "vitest";
import { parsePointInTime } from "./point-in-time.js";

const now = new Date(2026, 10, 18, 14, 30, 0).getTime();
const at = (hours: number, minutes: number, day = 18): number => new Date(2026, 10, day, hours, minutes, 0).getTime();

describe("what a user writes for a moment", () => {
  const cases = [
    { text: "now", point: { is: "now" } },
    { text: "99", point: { is: "revision", revision: 99 } },
    { text: "r99", point: { is: "revision", revision: 99 } },
    { text: "10m", point: { is: "time", time: now - 600_000 } },
    { text: "1h30m", point: { is: "time", time: now - 5_400_000 } },
    { text: "14:05", point: { is: "time", time: at(14, 5) } },
    { text: "23:05", point: { is: "time", time: at(23, 5, 17) } },
    { text: "2026-11-18T14:05:00Z", point: { is: "time", time: Date.UTC(2026, 10, 18, 14, 5) } },
  ];
  for (const { text, point } of cases) it(text, () => expect(parsePointInTime(text, now)).toEqual(point));
  for (const text of ["", "yesterday", "25:00", "-5m", "r", "1e99"])
    it(`refuses ${JSON.stringify(text)}`, () => expect(() => parsePointInTime(text, now)).toThrow(/is no moment/));
});
