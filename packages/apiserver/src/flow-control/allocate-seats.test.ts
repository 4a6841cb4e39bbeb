import { createSeededRandom } from "@coxswain/runtime/random";
import { describe, expect, it } from "vitest";
import { allocateSeats, type Claim } from "./allocate-seats.js";

const claim = (lowerBound: number, target: number, upperBound: number): Claim => ({ lowerBound, target, upperBound });

describe("dividing seats", () => {
  it("in proportion to the targets", () =>
    expect(allocateSeats(30, [claim(0, 1, 100), claim(0, 2, 100)])).toEqual({
      kind: "allocated",
      seats: [10, 20],
      fairShare: 10,
    }));
  it("nobody gets less than the lower bound", () =>
    expect(allocateSeats(30, [claim(15, 15, 100), claim(0, 30, 100)])).toMatchObject({
      seats: [15, 15],
      fairShare: 0.5,
    }));
  it("nobody gets more than the upper bound", () =>
    expect(allocateSeats(30, [claim(0, 1, 100), claim(0, 2, 4)])).toMatchObject({ seats: [26, 4] }));
  it("bounds that cannot be met are reported", () =>
    expect([
      allocateSeats(1, [claim(2, 2, 2)]).kind,
      allocateSeats(3, [claim(2, 2, 2)]).kind,
      allocateSeats(3, [claim(2, 1, 2)]).kind,
    ]).toEqual(["impossible", "impossible", "impossible"]));
  it("any problem: the sum is met, and everyone has the fair share or is at a bound", () => {
    const random = createSeededRandom(1234567890);
    for (let trial = 0; trial < 1500; trial++) {
      const claims = Array.from({ length: 1 + Math.floor(random.next() * 9) }, () => {
        const low = Math.max(0, random.next() * 5 - 1);
        return random.next() < 0.2
          ? claim(0, 0, random.next() + 0.00001)
          : claim(low, low + 2 * random.next(), low + 3 * random.next());
      });
      const low = claims.reduce((sum, { lowerBound }) => sum + lowerBound, 0);
      const high = claims.reduce((sum, { upperBound }) => sum + upperBound, 0);
      const sum = low + (high - low) * random.next();
      const answer = allocateSeats(sum, claims);
      if (answer.kind === "impossible") throw new Error(answer.why);
      expect(answer.seats.reduce((total, seats) => total + seats, 0)).toBeCloseTo(sum, 5);
      for (const [at, { lowerBound, upperBound, target }] of claims.entries()) {
        const fair = answer.fairShare * Math.max(target, 0.001);
        expect(answer.seats[at]).toBeCloseTo(Math.max(lowerBound, Math.min(upperBound, fair)), 6);
      }
    }
  });
});
