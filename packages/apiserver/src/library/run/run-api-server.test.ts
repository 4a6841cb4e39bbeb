import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, loadConfig } from "@coxswain/client/node";
import { afterEach, expect, it } from "vitest";
import type { ApiGroup } from "../api-group.js";
import { runApiServer } from "./run-api-server.js";

const hotel: ApiGroup = {
  name: "hotel.example.com",
  kinds: [
    {
      kind: "Booking",
      scope: "Cluster",
      versions: [{ name: "v1", schema: { type: "object", properties: { guest: { type: "string" } } } }],
    },
  ],
};

const folder = mkdtempSync(join(tmpdir(), "own-server-"));
const args = ["--alone", "--bind-address=127.0.0.1", "--secure-port=0", "--log-level=error"];
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function withServer(body: (kubeconfig: string) => Promise<void>, more: readonly string[] = []): Promise<void> {
  const ending = new AbortController();
  let running: Promise<void> | undefined;
  const listening = new Promise<string>((resolve, reject) => {
    running = runApiServer({
      groups: [hotel],
      args: [...args, `--data-dir=${folder}/data`, `--cert-dir=${folder}/pki`, ...more],
      signal: ending.signal,
      onListening: ({ kubeconfig = "" }) => resolve(kubeconfig),
    });
    running.catch(reject);
  });
  await body(await listening);
  ending.abort();
  await running;
}

const bookings = { group: "hotel.example.com", version: "v1", resource: "bookings", namespaced: false };
const one = { apiVersion: "hotel.example.com/v1", kind: "Booking", metadata: { name: "one" }, guest: "ann" };

it("a server alone is reached by the kubeconfig that it writes, by nobody else, and keeps its objects", {
  timeout: 60_000,
}, async () => {
  await withServer(async (path) => {
    const config = loadConfig({ path });
    const client = connect(config);
    await client.dynamic(bookings).create(one);
    await client.close();
    const { clientCertificate: _, clientKey: __, ...nobody } = config as typeof config & Record<string, unknown>;
    const stranger = connect(nobody as typeof config);
    await expect(stranger.dynamic(bookings).list()).rejects.toThrow(/Unauthorized|forbidden/);
    await stranger.close();
  });
  await withServer(async (path) => {
    const client = connect(loadConfig({ path }));
    expect(await client.dynamic(bookings).get("one")).toMatchObject({ guest: "ann" });
    await client.close();
  });
});

it("its audit log is that of kube-apiserver's flags, and flags without a policy record nothing", {
  timeout: 60_000,
}, async () => {
  mkdirSync(folder, { recursive: true });
  const [policy, log] = [join(folder, "policy.yaml"), join(folder, "audit.log")];
  writeFileSync(policy, "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n");
  const createOne = async (path: string): Promise<void> => {
    const client = connect(loadConfig({ path }));
    await client.dynamic(bookings).create(one);
    await client.dynamic(bookings).delete("one");
    await client.close();
  };
  await withServer(createOne, ["--audit-log-path=-", "--audit-log-maxage=0", "--audit-log-maxbackup=0"]);
  await withServer(createOne, [`--audit-policy-file=${policy}`, `--audit-log-path=${log}`]);
  const lines = readFileSync(log, "utf8").trim().split("\n");
  const events = lines.map((line) => JSON.parse(line) as { verb: string; objectRef?: { resource: string } });
  expect(events.map(({ verb, objectRef }) => `${verb} ${objectRef?.resource}`)).toContain("create bookings");
});
