import { expect, it, vi } from "vitest";
import { isTimeZone } from "./time-zone.js";

/** One of the spellings of a zone's name: the runtime ignores the case of letters. */
const spelling = (number: number): string =>
  "America/Indiana/Tell_City".replace(/[a-z]/g, (letter, at: number) =>
    (number >> (at % 11)) & 1 ? letter.toUpperCase() : letter,
  );

it("a client that spells a zone in many ways does not fill the memory with formatters", () => {
  const made = vi.spyOn(Intl, "DateTimeFormat");
  const madeFor = (zone: string): number => {
    made.mockClear();
    expect(isTimeZone(zone)).toBe(true);
    return made.mock.calls.length;
  };
  expect(madeFor(spelling(0))).toBe(1);
  for (let number = 1; number <= 1_000; number++) madeFor(spelling(number));
  expect(madeFor(spelling(1_001))).toBe(1);
  expect(madeFor(spelling(1_001))).toBe(1); // it was not kept
  expect(madeFor(spelling(0))).toBe(0);
  made.mockRestore();
});
