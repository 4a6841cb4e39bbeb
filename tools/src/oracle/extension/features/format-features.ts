import type { Json } from "../../../record/index.js";
import type { Feature } from "./feature.js";

const formats: Readonly<Record<string, readonly [string, ...string[]]>> = {
  bsonobjectid: ["507f1f77bcf86cd799439011", "507f1f77bcf86cd79943901", "g07f1f77bcf86cd799439011"],
  uri: ["https://example.com/a?b#c", "example.com", "/a", "http://", "::", "mailto:a@b"],
  email: ["a@example.com", "a", "a@b", "A <a@example.com>", "a@exam ple.com", '"a b"@example.com'],
  hostname: ["example.com", "-a", "a_b", "a..b", "example.com.", "é.com", `${"a".repeat(64)}.com`, "1.2.3.4"],
  ipv4: ["10.0.0.1", "10.0.0.256", "::1", "010.0.0.1", "10.0.0"],
  ipv6: ["fe80::1", "10.0.0.1", "fe80::1%eth0", "::ffff:1.2.3.4", "g::"],
  ip: ["10.0.0.1", "x"],
  cidr: ["10.0.0.0/8", "10.0.0.1/8", "fe80::/10", "10.0.0.0", "10.0.0.0/33", "010.0.0.0/8"],
  mac: ["00:00:5e:00:53:01", "00-00-5e-00-53-01", "0000.5e00.5301", "00:00:5e", "zz:00:5e:00:53:01"],
  uuid: ["7c9e6679-7425-40de-944b-e07fc1f90ae7", "7C9E667974254 0de", "7c9e6679742540de944be07fc1f90ae7", "x"],
  uuid3: ["a3bb189e-8bf9-3888-9912-ace4e6543002", "7c9e6679-7425-40de-944b-e07fc1f90ae7"],
  uuid4: [
    "7c9e6679-7425-40de-944b-e07fc1f90ae7",
    "7c9e6679-7425-50de-944b-e07fc1f90ae7",
    "7c9e6679-7425-40de-c44b-e07fc1f90ae7",
  ],
  uuid5: ["74738ff5-5367-5958-9aee-98fffdcd1876", "7c9e6679-7425-40de-944b-e07fc1f90ae7"],
  isbn: ["978-3-16-148410-0", "0-321-75104-3", "978-3-16-148410-1", "3161484100", "x"],
  isbn10: ["0321751043", "0321751044", "032175104X", "9783161484100"],
  isbn13: ["9783161484100", "9783161484101", "0321751043"],
  creditcard: ["4111111111111111", "4111 1111 1111 1111", "4111111111111112", "1"],
  ssn: ["111-11-1111", "111 11 1111", "11111111", "111-11-111"],
  hexcolor: ["#fff", "#FFFFFF", "fff", "#ffff", "#gggggg"],
  rgbcolor: ["rgb(0,0,0)", "rgb(255, 255, 255)", "rgb(256,0,0)", "rgba(0,0,0)"],
  byte: ["eA==", "eA", "!!!!", "", "e A=="],
  password: ["secret", ""],
  date: ["2026-02-28", "2026-02-30", "2026-2-28", "2026-02-28T00:00:00Z"],
  datetime: ["2026-02-28T01:02:03Z", "2026-02-28 01:02:03", "2026-02-28"],
  "date-time": [
    "2026-02-28T01:02:03Z",
    "2026-02-28T01:02:03.123456789+02:00",
    "2026-02-28T25:02:03Z",
    "2026-02-28t01:02:03z",
    "now",
  ],
  duration: ["1h30m", "1.5h", "-1s", "1 day", "3 weeks", "1", "0", "1d"],
  "k8s-short-name": ["abc-1", "Abc", "a.b", "-a", "a".repeat(64)],
  "k8s-long-name": ["abc.def-1", "Abc", "a..b", "a".repeat(254)],
  "unknown-format": ["anything", ""],
};

const nameOf = (format: string): string =>
  `format${format.replaceAll(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase())}`;

/** Every format that upstream knows, and one that it does not. */
export const formatFeatures: readonly Feature[] = Object.entries(formats).map(([format, [valid, ...odd]]) => ({
  name: nameOf(format),
  schema: { type: "string", format },
  valid: [valid],
  odd: odd as readonly Json[],
}));
