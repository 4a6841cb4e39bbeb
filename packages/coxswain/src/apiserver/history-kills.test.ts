import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createSeededRandom, randomInt } from "@coxswain/runtime/random";
import { startCoxswain } from "@coxswain/tools/clients";
import { afterAll, describe, expect, it } from "vitest";
import { type ApiClient, type ApiObject, connectApi } from "../testing/api-client.js";
import { historyBytes } from "../testing/history-bytes.js";
import { coxswain } from "../testing/run-coxswain.js";

/** More of them by `npm run tool -- history-kills`. */
const kills = Number(process.env["COXSWAIN_HISTORY_KILLS"] ?? "2");
const core = "/api/v1/namespaces/default";
const changes = "/apis/history.coxswain.dev/v1alpha1/namespaces/default/changes";
/** What a crash may cost. */
const mostLostMs = 2000;
const password = "correct-horse-battery-staple";
const encoded = Buffer.from(password).toString("base64");

const configMap = (name: string, data: Record<string, string>) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data,
});
/** As `kubectl apply` makes it: its value stands in an annotation, too. */
const secret = (name: string) => {
  const applied = JSON.stringify({ kind: "Secret", stringData: { password }, data: { other: encoded } });
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name, annotations: { "kubectl.kubernetes.io/last-applied-configuration": applied, note: password } },
    data: { password: encoded },
  };
};

interface Acknowledged {
  readonly revision: number;
  readonly time: number;
}

/** Writes one object after the other until the server is gone. */
async function write(api: ApiClient, name: string, known: Acknowledged[]): Promise<void> {
  for (let count = 0; ; count++) {
    try {
      const method = count === 0 ? "POST" : "PUT";
      const path = `${core}/configmaps${count === 0 ? "" : `/${name}`}`;
      const { metadata } = await api.send<ApiObject>(method, path, configMap(name, { count: String(count) }));
      known.push({ revision: Number(metadata.resourceVersion), time: Date.now() });
    } catch {
      return; // it was killed
    }
  }
}

async function recorded(api: ApiClient): Promise<Set<number>> {
  const found = new Set<number>();
  for (let next = ""; ; ) {
    const path = `${changes}?limit=5000${next === "" ? "" : `&continue=${encodeURIComponent(next)}`}`;
    const { items, metadata } = await api.send<{ items: { revision: number }[]; metadata: { continue?: string } }>(
      "GET",
      path,
    );
    for (const { revision } of items) found.add(revision);
    next = metadata.continue ?? "";
    if (next === "") return found;
  }
}

interface Gap {
  readonly after: number;
  readonly to: number;
}
async function gapsOf(api: ApiClient): Promise<readonly Gap[]> {
  const moment = { apiVersion: "history.coxswain.dev/v1alpha1", kind: "Moment", spec: { revision: 1 } };
  const { status } = await api.send<{ status: { gaps?: Gap[] } }>(
    "POST",
    "/apis/history.coxswain.dev/v1alpha1/moments",
    moment,
  );
  return status.gaps ?? [];
}

// With 90 others on two cores a start of the server took half a minute.
describe("the history of a server that is killed", { timeout: 90_000 * Math.max(7, kills) }, () => {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-history-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const random = createSeededRandom(process.env["COXSWAIN_SEED"] ?? "history");

  it(`misses nothing, or what came after the last flush, and reports it (${kills} kills)`, async () => {
    const dataDir = join(folder, "killed");
    const known: Acknowledged[] = [];
    let isCompacted = false;
    let killed = 0;
    for (let round = 0; round <= kills; round++) {
      const server = await startCoxswain({ dataDir, args: ["--history"] });
      const api = connectApi(server.kubeconfig);
      try {
        const [found, gaps] = [await recorded(api), await gapsOf(api)];
        const isInGap = (revision: number): boolean => gaps.some(({ after, to }) => revision > after && revision <= to);
        const missing = known.filter(({ revision }) => !found.has(revision));
        // The store's own log has what the chronicle had not written, unless it was compacted meanwhile.
        expect(missing.filter(({ revision }) => !isInGap(revision))).toEqual([]);
        if (!isCompacted) expect(missing).toEqual([]);
        expect(missing.filter(({ time }) => killed - time > mostLostMs)).toEqual([]);
        for (const each of missing) known.splice(known.indexOf(each), 1); // it stays lost
        if (round === kills) break;
        await api.send("POST", `${core}/secrets`, secret(`s${round}`));
        const writers = [0, 1, 2, 3].map((writer) => write(api, `map-${round}-${writer}`, known));
        const enough = known.length + 20;
        await sleep(300 + randomInt(2500, random));
        while (known.length <= enough) await sleep(10); // on a slow machine little was written by now
        killed = Date.now();
        await server.stop("SIGKILL");
        await Promise.all(writers);
      } finally {
        api.close();
        await server.stop("SIGKILL");
      }
      isCompacted = round % 2 === 1;
      if (isCompacted) await coxswain(`store compact --data-dir ${dataDir}`);
    }
    expect(known.length).toBeGreaterThan(20); // the first round's, at least, were not compacted
    const bytes = historyBytes(join(dataDir, "history"));
    expect(bytes).toContain("map-0-0"); // it is searched where things are
    for (const value of [password, encoded]) expect(bytes).not.toContain(value);
  });

  it("has no value of anything where values are encrypted at rest", async () => {
    const dataDir = join(folder, "encrypted");
    const file = join(folder, "encryption.yaml");
    const key = Buffer.alloc(32, 1).toString("base64");
    writeFileSync(
      file,
      `apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
- resources: [secrets, configmaps]
  providers: [{secretbox: {keys: [{name: k, secret: ${key}}]}}]
`,
    );
    const args = ["--history", "--encryption-provider-config", file];
    for (const round of [0, 1]) {
      const server = await startCoxswain({ dataDir, args });
      const api = connectApi(server.kubeconfig);
      await api.send("POST", `${core}/secrets`, secret(`s${round}`));
      await api.send("POST", `${core}/configmaps`, configMap(`map-${round}`, { colour: password }));
      await api.send("PUT", `${core}/configmaps/map-${round}`, configMap(`map-${round}`, { colour: encoded }));
      api.close();
      await server.stop();
    }
    const bytes = historyBytes(join(dataDir, "history"));
    expect(bytes).toContain("map-1");
    for (const value of [password, encoded]) expect(bytes).not.toContain(value);
  });
});
