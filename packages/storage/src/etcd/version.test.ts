import { expect, it } from "vitest";
import { trustsProgress } from "./version.js";

const cases = {
  "3.4.23": false,
  "3.4.30": false,
  "3.4.31": true,
  "3.5.0": false,
  "3.5.12": false,
  "3.5.13": true,
  "3.6.0": true,
  "3.6.8": true,
  "4.0.0": true,
  "3.3.9": false,
  "3.6.0-rc.1": true,
  "": false,
  master: false,
};
for (const [version, trusted] of Object.entries(cases))
  it(`${version || "nothing"}: ${trusted}`, () => expect(trustsProgress(version)).toBe(trusted));
