import { allControllers } from "@coxswain/controllers";
import { describe, expect, it } from "vitest";
import { envtestControllers } from "./envtest-controllers.js";

const chosen = (variable?: string): readonly string[] =>
  envtestControllers(variable === undefined ? {} : { COXSWAIN_ENVTEST_CONTROLLERS: variable });

describe("controllers of an envtest directory", () => {
  it("are controllers that there are", () => {
    const names = new Set(allControllers.map(({ name }) => name));
    expect(chosen().filter((name) => !names.has(name))).toEqual([]);
  });
  const cases = [
    {
      name: "leave workloads out",
      variable: undefined,
      has: ["namespace-controller"],
      lacks: ["deployment-controller"],
    },
    {
      name: "take one more",
      variable: "deployment-controller",
      has: ["namespace-controller", "deployment-controller"],
      lacks: [],
    },
    {
      name: "leave one out",
      variable: "-namespace-controller",
      has: ["garbage-collector-controller"],
      lacks: ["namespace-controller"],
    },
    {
      name: "are all for *, but for those left out",
      variable: "*,-job-controller",
      has: ["*", "-job-controller"],
      lacks: ["job-controller"],
    },
  ];
  for (const { name, variable, has, lacks } of cases)
    it(name, () => {
      expect(chosen(variable)).toEqual(expect.arrayContaining(has));
      expect(chosen(variable).filter((controller) => lacks.includes(controller))).toEqual([]);
    });
});
