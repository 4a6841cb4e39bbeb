import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CoxswainProcess, startCoxswain } from "@coxswain/tools/clients";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectApi } from "../testing/api-client.js";
import { coxswain, runCoxswain } from "../testing/run-coxswain.js";

const configMaps = "/api/v1/namespaces/default/configmaps";
const configMap = (sky: string): unknown => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "colours" },
  data: { sky },
});

describe("coxswain store", { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-store-"));
  const dataDir = join(folder, "data");
  const here = `--data-dir ${dataDir}`;
  let server: CoxswainProcess;
  beforeAll(async () => {
    server = await startCoxswain({ dataDir });
    const api = connectApi(server.kubeconfig);
    await api.send("POST", configMaps, configMap("blue"));
    await api.send("PUT", `${configMaps}/colours`, configMap("grey"));
    api.close();
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  describe("through a server that runs", () => {
    it("status shows the state of the store, and which process serves it", async () => {
      expect(await coxswain(`store status ${here}`)).toMatch(
        new RegExp(
          `^Engine: +lmdb\nServed by: +pid ${server.pid}\nRevision: +\\d+\nCompacted revision: +0\nKeys: +\\d+\nSize: +[\\d.]+ .iB \\(\\d+ bytes\\)\nWrites: +yes\n$`,
        ),
      );
      expect(JSON.parse(await coxswain(`store status -o json ${here}`))).toMatchObject({
        engine: "lmdb",
        pid: server.pid,
      });
    });

    it("get shows one key, or all that begin so", async () => {
      const shown = await coxswain(`store get /registry/configmaps/default/colours ${here}`);
      expect(shown).toMatch(/^\/registry\/configmaps\/default\/colours {2}\(revision \d+, version 2\)\n\{\n/);
      expect(shown).toContain('  "data": {\n    "sky": "grey"\n  }\n}\n');
      expect(await coxswain(`store get configmaps/default --keys-only ${here}`)).toBe(
        "/registry/configmaps/default/colours\n",
      );
      expect((await coxswain(`store get clusterroles/ --keys-only --limit 3 ${here}`)).trim().split("\n").length).toBe(
        3,
      );
      expect(JSON.parse(await coxswain(`store get configmaps/default/colours -o json ${here}`))).toMatchObject([
        { version: 2, value: { data: { sky: "grey" } } },
      ]);
    });

    it("get shows a key as it was", async () => {
      const [{ createRevision }] = JSON.parse(
        await coxswain(`store get configmaps/default/colours -o json ${here}`),
      ) as [{ createRevision: number }];
      expect(await coxswain(`store get configmaps/default/colours --revision ${createRevision} ${here}`)).toContain(
        '"sky": "blue"',
      );
    });

    it("history shows who wrote what and when, newest first", async () => {
      const lines = (await coxswain(`store history configmaps/default/colours ${here}`)).trim().split("\n");
      expect(lines[0]).toMatch(/^REVISION +TIME +CHANGE +VERB +USER +MANAGER +BYTES$/);
      const revisions = lines.slice(1).map((line) => Number(line.split(/ +/)[0]));
      expect(revisions).toEqual(revisions.toSorted((a, b) => b - a));
      expect(revisions.length).toBe(2);
      for (const line of lines.slice(1))
        expect(line).toMatch(/^\d+ +\d{4}-\d\d-\d\dT[\d:.]+Z +put +\S+ +kubernetes-admin +\S+ +\d+$/);
      expect(await coxswain(`store history configmaps/default/colours --values --limit 2 ${here}`)).toMatch(
        /"grey"[^]*"blue"/,
      );
    });

    it("compact forgets history, and what is there stays", async () => {
      expect(await coxswain(`store compact ${here}`)).toMatch(/^Forgot what was before revision \d+\.\n$/);
      expect(await coxswain(`store compact ${here}`)).toMatch(/^Nothing to do: /);
      expect((await coxswain(`store history configmaps/default/colours ${here}`)).trim().split("\n").length).toBe(2);
      expect(await runCoxswain(`store compact --revision 1000000 ${here}`)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("cannot compact to revision 1000000") as string,
      });
    });

    it("check is refused and names the server", async () => {
      expect(await runCoxswain(`store check ${here}`)).toMatchObject({
        code: 1,
        stderr: `coxswain: a server runs on ${dataDir}, with pid ${server.pid}. Stop it first\n`,
      });
    });

    it("restore is refused and names the server; defrag works", async () => {
      await coxswain(`store backup ${folder}/refused ${here}`);
      expect(await runCoxswain(`store restore ${folder}/refused ${here}`)).toMatchObject({
        code: 1,
        stdout: "",
        stderr: `coxswain: a server runs on ${dataDir}, with pid ${server.pid}. Stop it first: nothing was changed\n`,
      });
      expect(await coxswain(`store defrag ${here}`)).toMatch(
        /^The store takes [\d.]+ .iB now, of [\d.]+ .iB before\.\n$/,
      );
    });
  });

  describe("without a server", () => {
    beforeAll(async () => {
      await coxswain(`store backup ${folder}/backup ${here}`);
      await server.stop();
    });

    it("opens the directory itself", async () => {
      expect(await coxswain(`store status ${here}`)).toMatch(/Served by: +nobody/);
      expect(await coxswain(`store get configmaps/default --keys-only ${here}`)).toBe(
        "/registry/configmaps/default/colours\n",
      );
    });

    it("defrag writes the file anew, and nothing is lost", async () => {
      const before = await coxswain(`store get /registry/ -o json ${here}`);
      expect(await coxswain(`store defrag ${here}`)).toMatch(
        /^The store takes [\d.]+ .iB now, of [\d.]+ .iB before\.\n$/,
      );
      expect(await coxswain(`store get /registry/ -o json ${here}`)).toBe(before);
    });

    it("restore puts the backup in place and keeps what was there", async () => {
      const before = await coxswain(`store get /registry/ -o json ${here}`);
      const kept = /is kept in (\S+);/.exec(await coxswain(`store restore ${folder}/backup ${here}`))?.[1] ?? "";
      expect(readdirSync(join(dataDir, "store")).map((name) => join(dataDir, "store", name))).toContain(kept);
      expect(await coxswain(`store get /registry/ -o json ${here}`)).toBe(before);
    });

    it("check reads everything, and names the key and the revision of a damaged value", async () => {
      const whole = await runCoxswain(`store check ${here}`);
      expect(whole).toMatchObject({ code: 0, stderr: "" });
      expect(whole.stdout).toMatch(/^Read \d+ changes, .*\nNothing is damaged: \d+ keys at revision \d+\.\n$/);
      const file = join(dataDir, "store/data.mdb");
      const content = readFileSync(file);
      const damaged = Buffer.from(content);
      for (let at = damaged.indexOf('"grey"'); at >= 0; at = damaged.indexOf('"grey"', at + 1)) damaged[at + 1]! ^= 1;
      writeFileSync(file, damaged);
      const { code, stdout } = await runCoxswain(`store check ${here}`);
      expect(code).toBe(1);
      expect(stdout).toMatch(
        /^data\.mdb: \/registry\/configmaps\/default\/colours at revision \d+: the value is not as it was written\n[^]*\n1 thing is damaged\./,
      );
      expect((await runCoxswain(`store get configmaps/default/colours ${here}`)).stderr).toContain("cannot be read");
      expect(JSON.parse((await runCoxswain(`store check -o json ${here}`)).stdout)).toMatchObject({
        damage: [{ file: "data.mdb", key: "/registry/configmaps/default/colours" }],
      });
      writeFileSync(file, content);
    });

    it("restores a store that no longer opens", async () => {
      writeFileSync(join(dataDir, "store/data.mdb"), "no longer a database, whatever it was");
      expect((await runCoxswain(`store status ${here}`)).code).toBe(1);
      await coxswain(`store restore ${folder}/backup ${here}`);
      expect(await coxswain(`store get configmaps/default --keys-only ${here}`)).toBe(
        "/registry/configmaps/default/colours\n",
      );
    });

    const refused: { name: string; file: () => string; message: RegExp }[] = [
      {
        name: "what is no backup",
        file: () => (writeFileSync(join(folder, "letter"), "Dear Sir,\n"), join(folder, "letter")),
        message: /letter cannot be restored: it is not a backup\n$/,
      },
      { name: "what is not there", file: () => join(folder, "nothing"), message: /there is no file \S+nothing\n$/ },
      { name: "a directory", file: () => folder, message: /is a directory, not a backup\n$/ },
    ];
    for (const { name, file, message } of refused) {
      it(`restore refuses ${name}, and changes nothing`, async () => {
        const before = await coxswain(`store status ${here}`);
        expect(await runCoxswain(`store restore ${file()} ${here}`)).toMatchObject({
          code: 1,
          stderr: expect.stringMatching(message) as string,
        });
        expect(await coxswain(`store status ${here}`)).toBe(before);
      });
    }
  });

  const words: { line: string; code: number; message: string }[] = [
    { line: "store", code: 2, message: "coxswain store COMMAND" },
    { line: "store help", code: 0, message: "backup FILE" },
    { line: "store backup --help", code: 0, message: "coxswain store backup FILE [flags]" },
    { line: "store stats", code: 2, message: "Did you mean status?" },
    { line: "store get", code: 2, message: "get needs KEY|PREFIX" },
    { line: "store status now", code: 2, message: 'status does not take "now"' },
    { line: "store check --data-dir /nowhere", code: 1, message: "there is no store in /nowhere" },
    { line: "store status --colour", code: 2, message: "unknown flag --colour" },
    { line: "store status --data-dir /nowhere", code: 1, message: "there is no store in /nowhere" },
    { line: "store status --storage etcd", code: 2, message: "--storage etcd needs --etcd-servers" },
    { line: "apiserver --storage etcd", code: 2, message: "--storage etcd needs --etcd-servers" },
  ];
  for (const { line, code, message } of words) {
    it(`"coxswain ${line}" ends with ${code}`, async () => {
      const result = await runCoxswain(line);
      expect(result.stdout + result.stderr).toContain(message);
      expect(result.code).toBe(code);
    });
  }
});
