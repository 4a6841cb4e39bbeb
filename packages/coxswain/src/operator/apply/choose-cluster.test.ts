import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ownStart, writeState } from "../../up/cluster-state.js";
import { type ClusterOptions, chooseCluster, isOnThisMachine } from "./choose-cluster.js";

const kubeconfig = (server: string): string => `apiVersion: v1
kind: Config
clusters: [{ name: a, cluster: { server: "${server}" } }]
users: [{ name: u, user: { token: t } }]
contexts: [{ name: x, context: { cluster: a, user: u } }, { name: other, context: { cluster: a, user: u } }]
current-context: x
`;

describe("the cluster of a command", () => {
  let folder: string;
  const write = (path: string, text: string): string => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    return join(folder, path);
  };
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "coxswain-choose-"));
    write("home/.kube/config", kubeconfig("https://production"));
    write("named", kubeconfig("https://named"));
    for (const name of ["default", "second", "stopped"]) {
      const own = write(`clusters/${name}/kubeconfig`, kubeconfig(`https://${name}`));
      const running = { pid: process.pid, pidStart: name === "stopped" ? "another" : ownStart() };
      const state = { name, url: "", port: 0, nodes: 0, startedAt: "", kubeconfig: own, ...running };
      writeState(join(folder, "clusters", name), state);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const choose = (options: ClusterOptions, environment: Record<string, string> = {}) =>
    chooseCluster(options, {
      HOME: join(folder, "home"),
      COXSWAIN_HOME: join(folder, "clusters"),
      ...environment,
    });
  const named = (): string => join(folder, "named");
  const cases: [name: string, choice: () => ReturnType<typeof choose>, server: string][] = [
    ["is that of coxswain up, where it runs", () => choose({}), "https://default"],
    ["is the one of coxswain up that is named", () => choose({ name: "second" }), "https://second"],
    ["is the current context, where none runs", () => choose({}, { COXSWAIN_HOME: "/none" }), "https://production"],
    ["is that of $KUBECONFIG before one that runs", () => choose({}, { KUBECONFIG: named() }), "https://named"],
    ["is that of --kubeconfig before one that runs", () => choose({ kubeconfig: named() }), "https://named"],
    ["is that of --context before one that runs", () => choose({ context: "other" }), "https://production"],
  ];
  for (const [name, choice, server] of cases) it(name, () => expect(choice().config.server).toBe(server));

  it("goes to the operator's program as flags", () =>
    expect(choose({ kubeconfig: named(), context: "other" }).flags).toEqual([
      "--kubeconfig",
      named(),
      "--context",
      "other",
    ]));
  it("one that does not run is refused", () =>
    expect(() => choose({ name: "stopped" })).toThrow('"coxswain up --name stopped" starts it'));
  it("a name beside a kubeconfig is refused", () =>
    expect(() => choose({ name: "second", context: "x" })).toThrow("no --context beside it"));

  for (const [server, expected] of [
    ["https://127.0.0.1:6443", true],
    ["https://localhost:6443", true],
    ["https://[::1]:6443", true],
    ["https://10.0.0.1:6443", false],
    ["https://cluster.example.com", false],
  ] as const)
    it(`${server} is ${expected ? "" : "not "}on this machine`, () =>
      expect(isOnThisMachine({ server })).toBe(expected));
});
