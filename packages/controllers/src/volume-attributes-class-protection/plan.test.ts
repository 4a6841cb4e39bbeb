import { describe, expect, it } from "vitest";
import { classesLeft, classesOfClaim, classesOfVolume } from "./plan.js";

describe("which volume attributes classes are named", () => {
  it("by a claim: asked for, current and targeted, each once", () =>
    expect(
      classesOfClaim({
        spec: { volumeAttributesClassName: "gold" },
        status: {
          currentVolumeAttributesClassName: "silver",
          modifyVolumeStatus: { targetVolumeAttributesClassName: "gold", status: "Pending" },
        },
      }),
    ).toEqual(["gold", "silver"]));
  it("by a volume", () => expect(classesOfVolume({ spec: { volumeAttributesClassName: "gold" } })).toEqual(["gold"]));
  it("by a volume without one: none", () =>
    expect(classesOfVolume({ spec: { volumeAttributesClassName: "" } })).toEqual([]));
  it("those that are not named any more are looked at", () =>
    expect(classesLeft(["a", "b"], ["b", "c"])).toEqual(["a"]));
});
