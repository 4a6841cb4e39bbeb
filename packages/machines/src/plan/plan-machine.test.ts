import { describe, expect, it } from "vitest";
import { findHierarchies } from "./cgroup-hierarchies.js";
import { planBridge } from "./plan-bridge.js";
import { type MachineFacts, planMachine } from "./plan-machine.js";

const mounts = `tmpfs /sys/fs/cgroup tmpfs rw 0 0
cgroup /sys/fs/cgroup/cpuset cgroup rw,cpuset 0 0
cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0
cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0
`;

const facts: MachineFacts = {
  name: "n2",
  folder: "/srv/x/n2",
  holder: 77,
  cgroup: "coxswain-1-n2",
  isTopCgroup: true,
  hierarchies: findHierarchies(mounts),
  keep: ["/srv/x", "/var/lib/coxswain"],
  resolver: { path: "/run/systemd/resolve/stub-resolv.conf", own: "/srv/x/n2/etc/resolv.conf" },
  link: { name: "v2", bridge: "b", address: "10.0.0.12", prefixLength: 24, gateway: "10.0.0.1" },
};
const commandsOf = (more: Partial<MachineFacts> = {}): string[] =>
  planMachine({ ...facts, ...more }).flatMap((step) => (step.kind === "run" ? [step.command.join(" ")] : []));
const inside = "nsenter --target=77 --net --mount --uts --";

describe("the plan of a machine in namespaces", () => {
  const steps = planMachine(facts);

  it("makes its control group in every hierarchy, each with its undo", () => {
    const made = steps.flatMap((step) => (step.kind === "directory" && step.undo ? [step.undo] : []));
    expect(made).toEqual([
      { kind: "cgroup", path: "/sys/fs/cgroup/cpuset/coxswain-1-n2" },
      { kind: "cgroup", path: "/sys/fs/cgroup/memory/coxswain-1-n2" },
      { kind: "cgroup", path: "/sys/fs/cgroup/unified/coxswain-1-n2" },
    ]);
  });

  it("leaves a group below another one to that one's undo", () =>
    expect(planMachine({ ...facts, isTopCgroup: false }).some((step) => "undo" in step)).toBe(false));

  it("fills a cpuset, which no process can enter empty", () =>
    expect(steps.filter(({ kind }) => kind === "copy")).toEqual(
      ["cpuset.cpus", "cpuset.mems"].map((file) => ({
        kind: "copy",
        from: `/sys/fs/cgroup/cpuset/${file}`,
        to: `/sys/fs/cgroup/cpuset/coxswain-1-n2/${file}`,
      })),
    ));

  it("mounts only inside of the machine's namespace", () => {
    const mounting = commandsOf().filter((command) => command.includes(" mount "));
    expect(mounting.length).toBeGreaterThan(0);
    for (const command of mounting) expect(command.startsWith(`${inside} mount `)).toBe(true);
  });

  it("shares mounts after it has bound directories, so that none of them is seen twice", () => {
    const at = (text: string): number => commandsOf().findIndex((command) => command.includes(text));
    expect(at("--make-rshared /")).toBeGreaterThan(at("--rbind /srv/x/n2/var-lib /var/lib"));
  });

  it("of a dual-stack cluster has an address and a way out of both families", () => {
    const ipv6 = { address: "fd00::c", prefixLength: 64, gateway: "fd00::1" };
    const commands = commandsOf({ link: { ...facts.link, ipv6 } });
    expect(commands).toContain(`${inside} ip address add fd00::c/64 dev eth0 nodad`);
    expect(commands).toContain(`${inside} ip -6 route add default via fd00::1`);
    expect(commandsOf().some((command) => command.includes("ipv6"))).toBe(false);
  });

  it("keeps a directory that lies in one of the machine's own", () => {
    const commands = commandsOf();
    expect(commands).toContain(`${inside} mount --bind /var/lib/coxswain /srv/x/n2/var-lib/coxswain`);
    expect(commands.some((command) => command.includes("--bind /srv/x "))).toBe(false);
  });

  const resolvers = [
    {
      name: "in /run is written to the machine's own /run",
      path: "/run/systemd/resolve/stub-resolv.conf",
      command: "install -D -m 644 /srv/x/n2/etc/resolv.conf /srv/x/n2/run/systemd/resolve/stub-resolv.conf",
    },
    {
      name: "elsewhere is bound over",
      path: "/etc/resolv.conf",
      command: "mount --bind /srv/x/n2/etc/resolv.conf /etc/resolv.conf",
    },
  ];
  for (const { name, path, command } of resolvers)
    it(`a resolver's file ${name}`, () =>
      expect(commandsOf({ resolver: { path, own: "/srv/x/n2/etc/resolv.conf" } })).toContain(`${inside} ${command}`));

  it("of a machine with version 2 alone is one group", () =>
    expect(findHierarchies("cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n")).toEqual({
      version: 2,
      folders: ["/sys/fs/cgroup"],
    }));
});

describe("the plan of a bridge", () => {
  const bridge = {
    name: "cxs-a",
    address: "10.0.0.1",
    prefixLength: 24,
    isForwarding: false,
    namePrefix: "cxs-",
    masquerade: ["10.0.0.0/24"],
    table: "coxswain-a",
  };
  const undosOf = (more: Partial<typeof bridge> = {}): unknown[] =>
    planBridge({ ...bridge, ...more }).flatMap((step) => ("undo" in step && step.undo ? [step.undo] : []));

  it("has an undo for all that the namespaces of machines do not take with them", () =>
    expect(undosOf()).toEqual([
      { kind: "sysctl", path: "/proc/sys/net/ipv4/ip_forward", value: "0\n", unlessLink: "cxs-" },
      { kind: "link", name: "cxs-a" },
      { kind: "table", name: "inet coxswain-a" },
    ]));

  it("of a dual-stack cluster has the same for IPv6", () => {
    const ipv6 = { address: "fd00::1", prefixLength: 64, isForwarding: false, masquerade: ["fd00::/64"] };
    const steps = planBridge({ ...bridge, isForwarding: true, ipv6 });
    expect(steps.flatMap((step) => ("undo" in step && step.undo?.kind === "sysctl" ? [step.undo.path] : []))).toEqual([
      "/proc/sys/net/ipv6/conf/all/forwarding",
    ]);
    const commands = steps.flatMap((step) => (step.kind === "run" ? [step.command.join(" "), step.input ?? ""] : []));
    expect(commands).toContain("ip address add fd00::1/64 dev cxs-a nodad");
    expect(commands.at(-1)).toContain("ip6 saddr { fd00::/64 } ip6 daddr != { fd00::/64 }");
  });

  it("does not take back forwarding that it found", () =>
    expect(undosOf({ isForwarding: true, masquerade: [] })).toEqual([{ kind: "link", name: "cxs-a" }]));
});
