import { describe, expect, it } from "vitest";
import { casesOf } from "./case.js";
import { readSubjects, subjectName } from "./subject.js";

const subjects = readSubjects();
const subject = subjects.find((one) => subjectName(one) === "configmaps");
if (!subject) throw new Error("there are no objects for configmaps");

describe("generated cases", () => {
  it("are the same for the same seed, and others for another", () => {
    const sentences = (seed: string): string[] => casesOf(subject, { seed, limit: 50 }).map(({ sentence }) => sentence);
    expect(sentences("1")).toEqual(sentences("1"));
    expect(sentences("1")).not.toEqual(sentences("2"));
  });
  it("ask about each member in each way", () => {
    const sentences = casesOf(subject, { seed: "1", limit: Infinity }).map(({ sentence }) => sentence);
    for (const wanted of [
      "0: create, immutable is null",
      '0: put, data.key is ""',
      "0: create, data is 7",
      "0: put, data is gone",
      "0: delete",
    ])
      expect(sentences).toContain(wanted);
  });
  it("start from objects of every group that is served", () => {
    expect(new Set(subjects.map(({ info }) => info.group)).size).toBeGreaterThan(15);
  });
});
