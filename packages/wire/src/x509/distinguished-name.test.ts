import { expect, it } from "vitest";
import { readDer } from "./der-read.js";
import { attributeValues, encodeName, formatName, type NameOptions, readName } from "./distinguished-name.js";

const cases: { name: string; from: NameOptions; text: string }[] = [
  { name: "nothing", from: {}, text: "" },
  { name: "a common name", from: { commonName: "jäne" }, text: "CN=jäne" },
  {
    name: "organizations before the common name",
    from: { commonName: "a", organizations: ["g1", "g2"] },
    text: "O=g1,O=g2,CN=a",
  },
  {
    name: "an attribute of somebody's own",
    from: { commonName: "a", attributes: [{ type: "1.3.6.1.4.1.57683.2", value: "u-1" }] },
    text: "CN=a,1.3.6.1.4.1.57683.2=u-1",
  },
];
for (const { name, from, text } of cases)
  it(name, () => expect(formatName(readName(readDer(encodeName(from))))).toBe(text));

it("the last of several common names counts", () => {
  const name = readName(
    readDer(encodeName({ commonName: "first", attributes: [{ type: "2.5.4.3", value: "second" }] })),
  );
  expect(name.commonName).toBe("second");
  expect(attributeValues(name, "2.5.4.3")).toEqual(["first", "second"]);
});
