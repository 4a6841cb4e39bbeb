import { spawnSync } from "node:child_process";
import type { Service } from "@coxswain/api/core/v1";
import { systemClock } from "@coxswain/runtime/clock";
import { createSeededRandom } from "@coxswain/runtime/random";
import { describeWith } from "@coxswain/tools/needs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { planFrontends } from "../frontends/plan-frontends.js";
import { loadBalancerAt, service, slice, testNode } from "../frontends/service.test.support.js";
import { RuleState } from "../rules/rule-state.js";
import { testTable } from "../rules/table.test.support.js";
import { writeChanges, writeTable } from "../rules/transaction.js";
import { NetworkNamespace, rootAndNft } from "./network-namespace.test.support.js";
import { createNft, planTransaction } from "./run-nft.js";

/** The table as nft lists it: its objects and elements, in an order of our own. */
function listed(namespace: NetworkNamespace): string[] {
  const { nftables } = JSON.parse(namespace.run("nft -j list table ip coxswain-proxy")) as {
    nftables: Record<string, { elem?: unknown[]; handle?: number; name?: string; chain?: string; expr?: unknown }>[];
  };
  const texts = nftables.flatMap((object): string[] => {
    const [kind = "", { elem = [], handle: _handle, ...rest } = {}] = Object.entries(object)[0] ?? [];
    if (kind === "metainfo") return [];
    return [`${kind} ${JSON.stringify(rest)}`, ...elem.map((one) => `${rest.name} ${JSON.stringify(one)}`)];
  });
  return texts.sort();
}

/** A service that differs from seed to seed in everything that makes rules. */
function randomService(random: () => number, at: number): { service: Service; endpoints: string[] } {
  const choose = <T>(...from: T[]): T => from[Math.floor(random() * from.length)] as T;
  const ip = `10.96.0.${at + 1}`;
  const type = choose("ClusterIP", "NodePort", "LoadBalancer") as "ClusterIP";
  return {
    service: service(
      {
        type,
        clusterIP: ip,
        clusterIPs: [ip],
        ports: [
          {
            name: "http",
            protocol: choose("TCP", "UDP", "SCTP"),
            port: 80,
            nodePort: type === "ClusterIP" ? 0 : 30_000 + at,
          },
        ],
        externalIPs: choose([], [`1.1.1.${choose(1, 2)}`]),
        sessionAffinity: choose("None", "None", "ClientIP"),
        externalTrafficPolicy: choose("Cluster", "Local"),
        internalTrafficPolicy: choose("Cluster", "Local"),
        loadBalancerSourceRanges: choose([], ["10.0.0.0/8", "10.1.0.0/16"]),
        sessionAffinityConfig: { clientIP: { timeoutSeconds: choose(10, 20) } },
      },
      { name: `svc-${at}`, ...(type === ("LoadBalancer" as string) ? loadBalancerAt(`5.5.5.${at}`) : {}) },
    ),
    endpoints: Array.from({ length: Math.floor(random() * 4) }, () =>
      choose("10.0.0.1 local", "10.0.0.2", "10.0.0.3", "10.0.0.4 terminating", "10.0.0.5 unready"),
    ),
  };
}

describeWith("tables in the kernel", rootAndNft, () => {
  let [left, right]: NetworkNamespace[] = [];
  beforeAll(async () => {
    [left, right] = [await NetworkNamespace.open(), await NetworkNamespace.open()];
  });
  afterAll(() => {
    left?.close();
    right?.close();
  });

  it("nft takes the whole table of both families", async () => {
    if (left === undefined) throw new Error("no namespace");
    const nft = createNft(systemClock, [...left.enter, "nft"]);
    for (const family of ["IPv4", "IPv6"] as const) {
      const settings = testTable({ family });
      const state = new RuleState(settings);
      const dual = service({
        clusterIPs: ["10.96.0.1", "fd00:96::1"],
        ipFamilies: ["IPv4", "IPv6"],
        sessionAffinity: "ClientIP",
      });
      const slices = [slice(["10.0.0.1 local"]), slice(["fd00:1::1 local", "fd00:1::2"], { name: "six" })];
      state.put("ns/svc", planFrontends(dual, slices, { ...testNode, family }));
      await nft.run(writeTable(settings, state.planAll(undefined), undefined));
    }
    expect(left.run("nft list tables")).toBe("table ip coxswain-proxy\ntable ip6 coxswain-proxy\n");
    const names = await nft.list("ip coxswain-proxy");
    expect(names?.sets.has("frontends")).toBe(true);
    expect(await nft.list("ip nothing")).toBeUndefined();
    await expect(nft.run("add nonsense\n")).rejects.toThrow(/failed \(exit code 1\): .*syntax error/s);
  });

  it("commands that end too early, as those of a proxy that is killed while it writes them, are not carried out", async () => {
    if (right === undefined) throw new Error("no namespace");
    const [program = "", ...args] = planTransaction([...right.enter, "nft"], 1_000);
    const { status } = spawnSync(program, args, { input: "add table ip half\n" });
    expect(status).toBe(1);
    expect(right.run("nft list tables")).toBe("");
  });

  for (const { sessionAffinity, count } of [
    { sessionAffinity: "None", count: 5_000 },
    { sessionAffinity: "ClientIP", count: 1_000 },
  ] as const)
    it(`a service of ${count} endpoints with affinity ${sessionAffinity} is one transaction, and so is one endpoint less`, async () => {
      if (right === undefined) throw new Error("no namespace");
      const nft = createNft(systemClock, [...right.enter, "nft"]);
      const settings = testTable();
      const state = new RuleState(settings);
      const all = Array.from({ length: count }, (_, at) => `10.${1 + (at >> 8)}.${at & 255}.7`);
      const put = (endpoints: string[]): unknown =>
        state.put("ns/svc", planFrontends(service({ sessionAffinity }), [slice(endpoints)], testNode));
      put(all);
      await nft.run(writeTable(settings, state.planAll(undefined), undefined));
      state.applied();
      put(all.slice(1));
      const commands = writeChanges(settings, state.planChanges());
      await nft.run(commands);
      if (sessionAffinity === "None") expect(commands.length).toBeLessThan(2_000);
      right.run("nft delete table ip coxswain-proxy");
    });

  it("8 seeds of 30 changes: each transaction is accepted, and leaves what a table written at once has", async () => {
    if (left === undefined || right === undefined) throw new Error("no namespace");
    const [inLeft, inRight] = [left, right].map((one) => createNft(systemClock, [...one.enter, "nft"]));
    if (inLeft === undefined || inRight === undefined) throw new Error("no nft");
    for (let seed = 1; seed <= 8; seed++) {
      const random = createSeededRandom(seed);
      const next = (): number => random.next();
      const settings = testTable();
      const state = new RuleState(settings);
      await inLeft.run(writeTable(settings, state.planAll(undefined), undefined));
      state.applied();
      for (let step = 0; step < 30; step++) {
        const at = Math.floor(next() * 5);
        const { service: made, endpoints } = randomService(next, at);
        const isGone = next() < 0.2;
        state.put(
          `ns/svc-${at}`,
          isGone ? undefined : planFrontends(made, [slice(endpoints, portsOf(made))], testNode),
        );
        if (next() < 0.5) continue;
        await inLeft.run(writeChanges(settings, state.planChanges()));
        state.applied();
      }
      for (let again = 0; again < 2; again++) {
        await inLeft.run(writeChanges(settings, state.planChanges()));
        state.applied();
      }
      await inRight.run(writeTable(settings, state.planAll(undefined), undefined));
      const without = (lines: string[]): string[] => lines.filter((line) => !isSharedChain(line));
      expect(without(listed(left)), `seed ${seed}`).toEqual(without(listed(right)));
      // The same over a table that is there: what a restarted proxy does.
      const existing = await inLeft.list("ip coxswain-proxy");
      await inLeft.run(writeTable(settings, state.planAll(existing), existing));
      expect(without(listed(left)), `seed ${seed}, restarted`).toEqual(without(listed(right)));
    }
  });
});

const portsOf = (made: Service): { ports: { name: string; port: number; protocol: "TCP" | "UDP" | "SCTP" }[] } => ({
  ports: [{ name: "http", port: 8080, protocol: made.spec?.ports?.[0]?.protocol ?? "TCP" }],
});

/** Chains that are shared by number of backends stay when nobody uses them. */
const isSharedChain = (line: string): boolean => /"(name|chain)":"[a-z-]*(to|inside)-\d+(-local-\d+)?"/.test(line);
