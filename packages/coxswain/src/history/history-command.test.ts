import { startApiServer } from "@coxswain/apiserver";
import { createInProcessClients } from "@coxswain/cluster";
import { testRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { servePast } from "../at/past-endpoint.js";
import { runHistory } from "./history-command.js";

const runtime = testRuntime(1);
const administrator = { name: "ann", groups: ["system:masters", "system:authenticated"] };
const configMap = (name: string, colour: string) => ({
  apiVersion: "v1" as const,
  kind: "ConfigMap" as const,
  metadata: { name, namespace: "default" },
  data: { colour },
});

async function open() {
  const store = createMemoryStore({ runtime });
  const server = await startApiServer({ store, runtime, history: { bytes: 8 << 20 } });
  const client = createInProcessClients({ server, runtime, dropsManagedFields: false })(administrator, "kubectl-test");
  return { store, server, client, maps: client.core.v1.configmaps("default") };
}
let opened: Awaited<ReturnType<typeof open>>;
let red = "";

async function history(line: string): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  const { client } = opened;
  const place = {
    client,
    namespace: "default",
    print: (text: string) => lines.push(text),
    now: () => runtime.clock.now(),
  };
  const code = await runHistory(
    line.split(" ").filter((word) => word !== ""),
    place,
  );
  return { code, lines: lines.map((text) => text.replaceAll(/r\d+/g, "rN")) };
}

beforeAll(async () => {
  opened = await open();
  const { maps } = opened;
  red = (await maps.create(configMap("settings", "red"))).metadata!.resourceVersion!;
  await maps.update(configMap("settings", "blue"));
  await maps.create(configMap("other", "green"));
});
afterAll(() => opened.server.stop());

describe("coxswain history", () => {
  it("shows who changed an object and what", async () => {
    expect(await history("cm/settings")).toEqual({
      code: 0,
      lines: [
        "REV   AGE   WHO   VIA            CHANGED",
        "rN    0s    ann   kubectl-test   data.colour: red → blue",
        "rN    0s    ann   kubectl-test   created",
      ],
    });
  });

  it("shows changes of one member, with all that differs", async () => {
    expect((await history("configmap settings --path data.colour -p")).lines).toEqual([
      "rN  0s  ann  kubectl-test",
      "    data.colour: red → blue",
      "",
    ]);
  });

  it("knows nothing of an object that never was", async () => {
    expect(await history("cm/none")).toEqual({ code: 1, lines: ["nothing is known of cm/none in the history"] });
  });

  it("compares two moments", async () => {
    expect((await history(`diff --from ${red} --to now`)).lines).toEqual([
      "+ ConfigMap default/other",
      "~ ConfigMap default/settings",
      "    data.colour: red → blue",
      "1 changed, 1 new, 0 gone",
    ]);
  });

  it("changes an object back, after a dry run that changes nothing", async () => {
    const dry = await history(`restore cm/settings --to r${red} --dry-run`);
    expect(dry.lines).toEqual(["    data.colour: blue → red", "configmaps/settings changed back to rN (dry run)"]);
    expect((await opened.maps.get("settings")).data).toEqual({ colour: "blue" });
    await history(`restore cm/settings --to ${red}`);
    expect((await opened.maps.get("settings")).data).toEqual({ colour: "red" });
  });

  it("makes an object again that is gone, with a new uid and without an owner that is gone", async () => {
    const { maps } = opened;
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "gone", uid: "0", controller: true };
    const lost = configMap("lost", "gold");
    const made = await maps.create({ ...lost, metadata: { ...lost.metadata, ownerReferences: [owner] } });
    await maps.delete("lost");
    const left = "left out: owner ConfigMap gone, which is gone";
    const dry = await history(`restore cm/lost --to ${made.metadata!.resourceVersion} --dry-run`);
    expect(dry.lines).toEqual([
      left,
      "+ apiVersion: v1",
      "+ data:",
      "+   colour: gold",
      "+ kind: ConfigMap",
      "+ metadata:",
      "+   name: lost",
      "+   namespace: default",
      "configmaps/lost created as it was at rN (dry run)",
    ]);
    await expect(maps.get("lost")).rejects.toThrow(/not found/);
    const { lines } = await history(`restore cm/lost --to ${made.metadata!.resourceVersion}`);
    expect(lines).toEqual([left, "configmaps/lost created as it was at rN"]);
    const again = await maps.get("lost");
    expect(again.data).toEqual({ colour: "gold" });
    expect(again.metadata).not.toHaveProperty("ownerReferences");
    expect(again.metadata!.uid).not.toBe(made.metadata!.uid);
  });

  it("refuses a moment at which the object was not there", async () => {
    await expect(history("restore cm/other --to 2")).rejects.toThrow(
      /there was no configmaps\/other|does not reach back/,
    );
  });
});

describe("a history with a gap", () => {
  const at = (revision: number) => ({
    metadata: { name: `r${revision}` },
    object: { apiVersion: "v1", resource: "configmaps", kind: "ConfigMap", name: "a" },
    revision,
    type: "Created",
    paths: [],
  });
  const status = {
    newest: { revision: 90 },
    oldest: { revision: 10, time: "2026-11-18T14:05:00Z" },
    gaps: [{ after: 40, to: 50, why: "the server was off" }],
  };
  async function run(line: string): Promise<string[]> {
    const lines: string[] = [];
    const send = async ({ method }: { method: string }) =>
      method === "POST" ? { status } : { items: [at(90), at(60), at(30)], metadata: {} };
    const client = { rest: { send } } as never;
    await runHistory(line.split(" "), {
      client,
      namespace: "default",
      print: (text) => lines.push(text),
      now: () => 0,
    });
    return lines;
  }
  const missing = "the history from r41 to r50 is missing: the server was off";

  it("has it below a list that goes back so far, and only then", async () => {
    expect((await run("-A")).at(-1)).toBe(missing);
    expect(await run("-A --limit 2")).not.toContain(missing);
  });

  it("has it below a timeline", async () => {
    expect((await run("timeline --since r20")).at(-1)).toBe(missing);
  });

  it("compares no moment with one that it does not have", async () => {
    await expect(run("diff --from r5 --to r90")).rejects.toThrow("begins at 2026-11-18T14:05:00Z (r10)");
  });
});

describe("coxswain history timeline", () => {
  it("shows who wrote what, newest last", async () => {
    const { lines } = await history("timeline --since 1h");
    expect(lines.join("\n")).toMatch(/ann +create ConfigMap default\/settings @\d+/);
    expect(lines.join("\n")).toMatch(/ann +update ConfigMap default\/settings @\d+: data.colour red → blue/);
  });
});

describe("the endpoint of a past revision", () => {
  it("has one object and lists as they were, and takes no writes", async () => {
    const past = await servePast(opened.client.transport, Number(red));
    const read = async (path: string, options: RequestInit = {}) => {
      const response = await fetch(`${past.url}${path}`, options);
      return { code: response.status, body: (await response.json()) as { items?: unknown[]; data?: unknown } };
    };
    const maps = "/api/v1/namespaces/default/configmaps";
    expect(await read(`${maps}/settings`)).toMatchObject({
      code: 200,
      body: { kind: "ConfigMap", data: { colour: "red" } },
    });
    expect((await read(`${maps}/other`)).code).toBe(404);
    expect((await read(`${maps}?limit=1`)).body.items).toHaveLength(1);
    expect((await read(`${maps}/settings`, { method: "DELETE" })).code).toBe(405);
    expect((await fetch(`${new URL(past.url).origin}${maps}`)).status).toBe(404);
    past.close();
  });
});
