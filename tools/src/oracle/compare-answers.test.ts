import { describe, expect, it } from "vitest";
import { compareAnswers } from "./compare-answers.js";
import type { AcceptedDifference } from "./ledger.js";

const answer = (status: number, body: object) => ({ step: "0: create", status, body: body as never });
const refusal = (...fields: string[]) =>
  answer(422, {
    message: fields.join(),
    details: { causes: fields.map((field) => ({ field, reason: "FieldValueInvalid", message: "bad" })) },
  });

describe("a verdict", () => {
  it("is equal whatever the order of members", () => {
    expect(compareAnswers("pods", "0: create", answer(200, { a: 1, b: 2 }), answer(200, { b: 2, a: 1 }), [])).toEqual({
      is: "equal",
    });
  });
  it("names the one thing that differs", () => {
    expect(compareAnswers("pods", "0: create", answer(200, { a: 1 }), answer(200, { a: 2 }), [])).toMatchObject({
      is: "different",
      differences: [{ path: "body.a", want: 1, got: 2 }],
    });
  });
  it("reports no more than the two messages where one server refuses", () => {
    expect(compareAnswers("pods", "0: create", refusal("spec"), answer(201, { a: 1 }), [])).toMatchObject({
      is: "different",
      differences: [{ path: "status", want: "422 spec", got: 201 }],
    });
  });
  it("names the causes that one side lacks, wherever they stand", () => {
    expect(compareAnswers("pods", "0: create", refusal("a", "b", "c"), refusal("a", "c"), [])).toMatchObject({
      differences: [{ path: "body.details.causes", want: ["b: bad (FieldValueInvalid)"], got: [] }],
    });
  });
  it("does not let the order of causes pass", () => {
    expect(compareAnswers("pods", "0: create", refusal("a", "b"), refusal("b", "a"), []).is).toBe("different");
  });
  it("is accepted when the ledger covers every difference, and only then", () => {
    const ledger: AcceptedDifference[] = [{ kind: /^pods$/, path: /^body\.a$/, reason: "a test" }];
    expect(compareAnswers("pods", "0: create", answer(200, { a: 1 }), answer(200, { a: 2 }), ledger).is).toBe(
      "accepted",
    );
    expect(
      compareAnswers("pods", "0: create", answer(200, { a: 1, b: 1 }), answer(200, { a: 2, b: 2 }), ledger).is,
    ).toBe("different");
    expect(compareAnswers("nodes", "0: create", answer(200, { a: 1 }), answer(200, { a: 2 }), ledger).is).toBe(
      "different",
    );
  });
  const definition = (...types: string[]) => ({
    kind: "CustomResourceDefinition",
    status: { conditions: types.map((type) => ({ type, status: "True" })) },
  });
  it("does not depend on the order of a definition's conditions, which are written by several controllers", () => {
    const [want, got] = [definition("Approved", "Established"), definition("Established", "Approved")];
    expect(compareAnswers("customresourcedefinitions", "0: get", answer(200, want), answer(200, got), []).is).toBe(
      "equal",
    );
    const lists = [want, got].map((item) => answer(200, { kind: "CustomResourceDefinitionList", items: [item] }));
    expect(compareAnswers("customresourcedefinitions", "list", lists[0], lists[1], []).is).toBe("equal");
    const other = definition("Established", "Terminating");
    expect(compareAnswers("customresourcedefinitions", "0: get", answer(200, want), answer(200, other), []).is).toBe(
      "different",
    );
  });
  it("accepts errors of a device's capacities in another order, and no other causes", () => {
    const at = (key: string) => `spec.devices[0].capacity[${key}].requestPolicy`;
    const verdict = (want: string[], got: string[]) =>
      compareAnswers("resourceslices.resource.k8s.io", "create", refusal(...want), refusal(...got)).is;
    expect(verdict([at("a"), at("b")], [at("b"), at("a")])).toBe("accepted");
    expect(verdict([at("a"), at("b")], [at("a"), at("c")])).toBe("different");
  });
  const lead = [
    "failed to create typed patch object (/a; /v1, Kind=Thing)",
    "failed to convert new object (/a; /v1, Kind=Thing) to smd typed",
  ];
  for (const what of lead)
    it(`accepts errors of several members in another order, and no other errors: ${what}`, () => {
      const refused = (...errors: string[]) =>
        answer(500, { message: `${what}: errors:\n${errors.map((error) => `  ${error}`).join("\n")}` });
      const [a, b] = [".data.a: expected string", ".data.b: expected string"];
      expect(compareAnswers("things", "apply", refused(a, b), refused(b, a)).is).toBe("accepted");
      expect(compareAnswers("things", "apply", refused(a, b), refused(a)).is).toBe("different");
    });
});
