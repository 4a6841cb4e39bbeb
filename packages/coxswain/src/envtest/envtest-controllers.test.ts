import { allControllers } from "@coxswain/controllers";
import { describe, expect, it } from "vitest";
import { envtestControllers } from "./envtest-controllers.js";

const chosen = (variable?: string): readonly string[] =>
  envtestControllers(variable === undefined ? {} : { COXSWAIN_ENVTEST_CONTROLLERS: variable });

describe("controllers of an envtest directory", () => {
  it("are controllers that there are", () => {
    const names = new Set(allControllers.map(({ name }) => name));
    expect(chosen("usual").filter((name) => !names.has(name))).toEqual([]);
  });
  it("are none by default, as with the usual assets", () => {
    expect(chosen()).toEqual([]);
  });
  const cases = [
    {
      name: "leave workloads out",
      variable: "usual",
      has: ["namespace-controller"],
      lacks: ["deployment-controller"],
    },
    {
      name: "take one more",
      variable: "usual,deployment-controller",
      has: ["namespace-controller", "deployment-controller"],
      lacks: [],
    },
    {
      name: "are only one where one is named",
      variable: "deployment-controller",
      has: ["deployment-controller"],
      lacks: ["namespace-controller"],
    },
    {
      name: "leave one out",
      variable: "usual,-namespace-controller",
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
