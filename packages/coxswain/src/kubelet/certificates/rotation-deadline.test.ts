import { expect, it } from "vitest";
import { rotationDeadline } from "./rotation-deadline.js";

const at = (chance: number): number => rotationDeadline({ notBefore: 1000, notAfter: 2000 }, { next: () => chance });

it("a certificate is replaced after 70 to 90 % of its life", () =>
  expect([at(0), at(0.5), at(1)]).toEqual([1700, 1800, 1900]));
