import { expect, it } from "vitest";
import { describeWith } from "./describe-with.js";

const ran: string[] = [];

describeWith("something that is there", { found: "path", missing: "nothing" }, (found) => {
  it("runs with what was found", () => void ran.push(found));
});

// Only that this file has a skipped test in place of the suite can be seen from outside: see the run's count of skipped tests.
describeWith<string>("something that is nowhere", { found: undefined, missing: "a program that nobody has" }, () => {
  throw new Error("the body of a suite whose program is missing is not run");
});

it("the suite with its program ran, the other did not", () => expect(ran).toEqual(["path"]));
