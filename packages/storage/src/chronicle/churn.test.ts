import { describe, expect, it } from "vitest";
import { type ChurnReport, runChurn } from "./churn.test.support.js";

// All of them by `npm run tool -- chronicle`.
const seeds = Number(process.env.COXSWAIN_CHRONICLE ?? "8");

describe("a chronicle over seeded churn, crashes and compactions", () => {
  it(`has every change once or in a gap, and every state (${seeds} seeds)`, async () => {
    const reports: ChurnReport[] = [];
    for (let seed = 1; seed <= seeds; seed++) reports.push(await runChurn(seed));
    expect(reports.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
    // The runs are of the kind that was meant.
    expect(reports.some(({ gaps }) => gaps.length > 0)).toBe(true);
    expect(reports.some(({ segments }) => segments > 1)).toBe(true);
    const sum = (of: (report: ChurnReport) => number): number => reports.reduce((all, each) => all + of(each), 0);
    console.log(
      `${seeds} seeds: ${sum(({ changes }) => changes)} changes, ${sum(({ crashes }) => crashes)} crashes, ${sum(({ gaps }) => gaps.length)} gaps`,
    );
  }, 600_000);
});
