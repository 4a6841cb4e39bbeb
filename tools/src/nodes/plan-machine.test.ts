import { describe, expect, it } from "vitest";
import { findHierarchies } from "./cgroup-hierarchies.js";
import { planOwnNamespaces } from "./own-namespaces.js";
import { planMachine, planRoutes } from "./plan-machine.js";

const mounts = `tmpfs /sys/fs/cgroup tmpfs rw 0 0
cgroup /sys/fs/cgroup/cpuset cgroup rw,cpuset 0 0
cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0
cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0
`;

describe("the plan of a machine in namespaces", () => {
  const facts = {
    index: 2,
    folder: "/run/x/n2",
    holder: 77,
    cgroup: "coxswain-1-n2",
    hierarchies: findHierarchies(mounts),
  };
  const steps = planMachine(facts);
  const commands = steps.flatMap((step) => (step.kind === "run" ? [step.command.join(" ")] : []));

  it("makes its control group in every hierarchy, each with its undo", () => {
    const made = steps.flatMap((step) => (step.kind === "directory" && step.undo ? [step.undo] : []));
    expect(made).toEqual([
      { kind: "cgroup", path: "/sys/fs/cgroup/cpuset/coxswain-1-n2" },
      { kind: "cgroup", path: "/sys/fs/cgroup/memory/coxswain-1-n2" },
      { kind: "cgroup", path: "/sys/fs/cgroup/unified/coxswain-1-n2" },
    ]);
  });

  it("fills a cpuset, which no process can enter empty", () =>
    expect(steps.filter(({ kind }) => kind === "copy")).toEqual(
      ["cpuset.cpus", "cpuset.mems"].map((file) => ({
        kind: "copy",
        from: `/sys/fs/cgroup/cpuset/${file}`,
        to: `/sys/fs/cgroup/cpuset/coxswain-1-n2/${file}`,
      })),
    ));

  it("mounts only inside of the machine's namespace", () => {
    const mounting = commands.filter((command) => command.includes(" mount "));
    expect(mounting.length).toBeGreaterThan(0);
    for (const command of mounting) expect(command).toMatch(/^nsenter --target=77 --net --mount --uts -- mount /);
  });

  it("shares mounts before it binds directories, so that containers see them", () => {
    const at = (text: string): number => commands.findIndex((command) => command.includes(text));
    expect(at("--make-rshared /")).toBeLessThan(at("--bind /run/x/n2/var-lib /var/lib"));
  });

  it("of a machine with version 2 alone is one group", () =>
    expect(findHierarchies("cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n")).toEqual({
      version: 2,
      folders: ["/sys/fs/cgroup"],
    }));
});

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
