import { describe, expect, it } from "vitest";
import { proxyUserHeaders } from "./proxy-user.js";

describe("how an aggregated server gets the user", () => {
  const cases = [
    {
      name: "name and groups, each in a line of its own",
      user: { name: "jane", groups: ["a", "b"] },
      lines: ["X-Remote-User: jane", "X-Remote-Group: a", "X-Remote-Group: b"],
    },
    {
      name: "a UID where there is one",
      user: { name: "jane", uid: "7", groups: [] },
      lines: ["X-Remote-User: jane", "X-Remote-Uid: 7"],
    },
    {
      name: "what cannot stand in a header's name is escaped, the escape too",
      user: { name: "jane", groups: [], extra: { "example.com/a%b": ["1", "2"], ü: ["3"] } },
      lines: [
        "X-Remote-User: jane",
        "X-Remote-Extra-example.com%2Fa%25b: 1",
        "X-Remote-Extra-example.com%2Fa%25b: 2",
        "X-Remote-Extra-%C3%BC: 3",
      ],
    },
    {
      name: "a line break cannot begin another header",
      user: { name: "jane\r\nX-Remote-Group: system:masters", groups: [] },
      lines: ["X-Remote-User: jane  X-Remote-Group: system:masters"],
    },
    {
      name: "blanks around a name go, a non-breaking space is part of it",
      user: { name: " jane\t", groups: ["\u00a0admins"] },
      lines: ["X-Remote-User: jane", `X-Remote-Group: ${String.fromCharCode(0xc2, 0xa0)}admins`],
    },
    {
      name: "other alphabets go as bytes of UTF-8",
      user: { name: "ö", groups: [] },
      lines: [`X-Remote-User: ${String.fromCharCode(0xc3, 0xb6)}`],
    },
  ];
  for (const { name, user, lines } of cases)
    it(name, () => expect(proxyUserHeaders(user).map((line) => line.join(": "))).toEqual(lines));
});
