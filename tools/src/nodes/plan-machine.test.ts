import { describe, expect, it } from "vitest";
import { planOwnNamespaces } from "./own-namespaces.js";
import { planRoutes } from "./plan-machine.js";

describe("routes to the pods of a node", () => {
  it("are made here and on each other machine", () =>
    expect(planRoutes({ podCidr: "10.244.1.0/24", index: 1 }, [88])).toEqual([
      { kind: "run", command: ["ip", "route", "replace", "10.244.1.0/24", "via", "10.100.0.11"] },
      {
        kind: "run",
        command: "nsenter --target=88 --net --mount --uts -- ip route replace 10.244.1.0/24 via 10.100.0.11".split(" "),
      },
    ]));
});

describe("namespaces of its own", () => {
  it("end with their first process, and have a network without routes", () => {
    const command = planOwnNamespaces(["node", "main.js"]);
    for (const flag of ["--net", "--mount", "--pid", "--kill-child"]) expect(command).toContain(flag);
    expect(command.slice(-2)).toEqual(["node", "main.js"]);
  });
});
