import { expect, it } from "vitest";
import { CelError, Timestamp } from "../values/value.js";
import { inZone } from "./zoned-time.js";

const noon = new Timestamp(1_769_947_200, 0); // 2026-02-01T12:00:00Z

const cases = [
  { name: "the empty name is UTC", zone: "", hour: 12 },
  { name: "a zone of the database", zone: "Asia/Kolkata", hour: 17 },
  { name: "an offset", zone: "-02:30", hour: 9 },
  { name: "names are case-sensitive, as files are", zone: "europe/berlin", hour: undefined },
  { name: "an offset without minutes is no name", zone: "+01", hour: undefined },
  { name: "a zone that there is not", zone: "Mars/Base", hour: undefined },
];
for (const { name, zone, hour } of cases)
  it(name, () => {
    const time = inZone(noon, zone);
    if (hour === undefined) expect(time).toEqual(new CelError(`unknown time zone ${zone}`));
    else expect(time).toMatchObject({ hour, day: 1 });
  });
