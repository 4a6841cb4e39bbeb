import { FieldPath } from "@coxswain/apimachinery/field";
import { describe, expect, it } from "vitest";
import { checkIscsiName } from "./iscsi.js";

describe("an iSCSI name", () => {
  const cases = [
    { name: "iqn.2001-04.com.example:storage.disk1", problems: 0 },
    { name: "iqn.2001-04.com.example", problems: 1 },
    { name: "iqn.x.iqn.2001-04.com.example:a", problems: 0 },
    { name: "eui.0123456789abcdef", problems: 0 },
    { name: "abc", problems: 1 },
  ];
  for (const { name, problems } of cases)
    it(`${name}: ${problems === 0 ? "is one" : "is none"}`, () =>
      expect(checkIscsiName(name, FieldPath.of("iqn"))).toHaveLength(problems));
  it("a long row of beginnings is read in linear time", () =>
    expect(checkIscsiName("iqn.2001-04.".repeat(20_000), FieldPath.of("iqn"))).toHaveLength(1));
});
