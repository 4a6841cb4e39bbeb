import { describe, expect, it } from "vitest";
import { structuralProblem } from "./structural-problem.js";

describe("what keeps a schema from being structural", () => {
  it("is found inside it", () =>
    expect(structuralProblem({ type: "object", properties: { a: { $ref: "#/x" } } })).toBe(
      "OpenAPIV3Schema '$ref' is not supported",
    ));
  it("is looked for once, however many rules ask", () => {
    let reads = 0;
    const schema = {
      type: "object",
      get properties() {
        reads++;
        return {};
      },
    };
    for (let asked = 0; asked < 100; asked++) structuralProblem(schema);
    expect(reads).toBe(1);
  });
});
