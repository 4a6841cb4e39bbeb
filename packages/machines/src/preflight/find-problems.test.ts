import { describe, expect, it } from "vitest";
import { findProblems, type PreflightFacts } from "./find-problems.js";
import { neededPrograms } from "./needed-programs.js";

const able: PreflightFacts = { platform: "linux", isRoot: true, missing: [], containerdMajor: 1, missingInKernel: [] };
const needed = (...names: string[]) => neededPrograms.filter(({ name }) => names.includes(name));

describe("what keeps a machine from having real nodes", () => {
  const cases: { name: string; facts: Partial<PreflightFacts>; problems: RegExp[] }[] = [
    { name: "nothing", facts: {}, problems: [] },
    {
      name: "another system",
      facts: { platform: "darwin", isRoot: false },
      problems: [/need Linux, and this is macOS/],
    },
    { name: "a user who is not root", facts: { isRoot: false }, problems: [/need root \(sudo\)/] },
    {
      name: "programs, by the packages that have them, each once",
      facts: { missing: needed("conntrack", "bridge", "portmap") },
      problems: [
        /^missing: bridge, portmap, conntrack\. Debian and Ubuntu: apt-get install containernetworking-plugins conntrack; Fedora: dnf install containernetworking-plugins conntrack-tools$/,
      ],
    },
    { name: "a kernel without a module", facts: { missingInKernel: ["overlay"] }, problems: [/kernel lacks overlay/] },
  ];
  for (const { name, facts, problems } of cases)
    it(name, () => {
      const found = findProblems({ ...able, ...facts });
      expect(found).toHaveLength(problems.length);
      for (const [at, problem] of problems.entries()) expect(found[at]).toMatch(problem);
    });
});
