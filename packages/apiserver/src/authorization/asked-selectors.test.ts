import { describe, expect, it } from "vitest";
import { askedSelectors } from "./asked-selectors.js";

describe("the selectors of a question", () => {
  it("labels and fields are asked about in their order, not as they were given", () => {
    const { labelSelector, fieldSelector } = askedSelectors("b=1,a!=2", "c,a in (y,x),!b");
    expect(labelSelector?.requirements.map(({ key }) => key)).toEqual(["a", "b", "c"]);
    expect(fieldSelector?.requirements.map(({ field }) => field)).toEqual(["a", "b"]);
  });
  it("what cannot be parsed is reported, and asks about everything", () =>
    expect(askedSelectors("", "a in (")).toEqual({
      labelSelector: { requirements: [], error: expect.any(String) as string },
    }));
  it("empty ones are none", () => expect(askedSelectors("", "")).toEqual({}));
});
