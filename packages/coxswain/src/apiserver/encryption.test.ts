import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CoxswainProcess, startCoxswain } from "@coxswain/tools/clients";
import { afterAll, describe, expect, it } from "vitest";
import { type ApiClient, connectApi } from "../testing/api-client.js";
import { coxswain, runCoxswain } from "../testing/run-coxswain.js";

const secrets = "/api/v1/namespaces/default/secrets";
const secret = (name: string, labels = {}): unknown => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name, labels },
  stringData: { password: "hunter2-in-plain-sight" },
});
const plain = Buffer.from("hunter2-in-plain-sight").toString("base64");
const keyOf = (byte: number): string => Buffer.alloc(32, byte).toString("base64");

describe("encryption at rest", { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-encryption-"));
  const dataDir = join(folder, "data");
  const file = join(folder, "encryption.yaml");
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const configure = (...keys: number[]): void =>
    writeFileSync(
      file,
      `apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
- resources: [secrets]
  providers:
  - aescbc:
      keys:
${keys.map((key) => `      - {name: key${key}, secret: ${keyOf(key)}}`).join("\n")}
  - identity: {}
- resources: ["*.apps"]
  providers:
  - secretbox: {keys: [{name: box, secret: ${keyOf(9)}}]}
`,
    );
  const serving = async (
    args: readonly string[],
    work: (api: ApiClient, server: CoxswainProcess) => Promise<void>,
  ): Promise<void> => {
    const server = await startCoxswain({ dataDir, args });
    const api = connectApi(server.kubeconfig);
    try {
      await work(api, server);
    } finally {
      api.close();
      await server.stop();
    }
  };
  const stored = async (key: string): Promise<string> => coxswain(`store get ${key} --data-dir ${dataDir}`);

  it("keeps what the file names encrypted, and nothing of it in plain sight", async () => {
    configure(1);
    await serving(["--encryption-provider-config", file], async (api) => {
      await api.send("POST", secrets, secret("one"));
      await api.send("POST", "/apis/apps/v1/namespaces/default/controllerrevisions", {
        apiVersion: "apps/v1",
        kind: "ControllerRevision",
        metadata: { name: "first" },
        revision: 1,
        data: { a: 1 },
      });
      await api.send("POST", "/api/v1/namespaces/default/configmaps", {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "open" },
      });
      expect(await api.send("GET", `${secrets}/one`)).toMatchObject({ data: { password: plain } });
      expect(await stored("secrets/default/one")).toContain("(encrypted: aescbc v1, key key1, ");
      expect(await stored("controllerrevisions/default/first")).toContain("(encrypted: secretbox v1, key box, ");
      expect(await stored("configmaps/default/open")).toContain('"name": "open"');
    });
    for (const name of ["data.mdb", "data.wal"])
      expect(readFileSync(join(dataDir, "store", name)).includes(plain)).toBe(false);
  });

  it("reads with an older key and writes with the first", async () => {
    configure(2, 1);
    await serving(["--encryption-provider-config", file], async (api) => {
      expect(await api.send("GET", `${secrets}/one`)).toMatchObject({ data: { password: plain } });
      await api.send("POST", secrets, secret("two"));
      expect(await stored("secrets/default/two")).toContain("key key2");
      await api.send("PUT", `${secrets}/one`, secret("one", { changed: "yes" }));
      expect(await stored("secrets/default/one")).toContain("key key2");
    });
  });

  // Keys are rotated by replacing every secret with itself.
  it("encrypts anew what is replaced with itself", async () => {
    configure(3, 2);
    await serving(["--encryption-provider-config", file], async (api) => {
      await api.send("PUT", `${secrets}/two`, await api.send("GET", `${secrets}/two`));
      expect(await stored("secrets/default/two")).toContain("key key3");
    });
  });

  it("takes up a changed file while it serves, and keeps the last one that could be used", async () => {
    configure(4, 3, 2);
    await serving(
      ["--encryption-provider-config", file, "--encryption-provider-config-automatic-reload"],
      async (api) => {
        await api.send("POST", secrets, secret("three"));
        expect(await stored("secrets/default/three")).toContain("key key4");
        writeFileSync(file, "kind: Pod\n");
        await api.send("POST", secrets, secret("four"));
        expect(await stored("secrets/default/four")).toContain("key key4");
        configure(5, 4, 3, 2);
        // The file system notifies some time later; every write before that is still one with the old key.
        for (let i = 0; ; i++) {
          await api.send("POST", secrets, secret(`later-${i}`));
          const kept = await stored(`secrets/default/later-${i}`);
          if (kept.includes("key key5")) break;
          expect(kept).toContain("key key4");
        }
        const kept = (await api.send("GET", `${secrets}/three`)) as { metadata: { resourceVersion: string } };
        const renewed = (await api.send("PUT", `${secrets}/three`, kept)) as typeof kept;
        expect(await stored("secrets/default/three")).toContain("key key5");
        expect(renewed.metadata.resourceVersion).not.toBe(kept.metadata.resourceVersion);
        expect(await api.send("PUT", `${secrets}/three`, renewed), "once is enough").toEqual(renewed);
        expect(await api.send("GET", `${secrets}/four`)).toMatchObject({ data: { password: plain } });
      },
    );
  });

  // Behind a link into another directory nobody sees the file change.
  it("looks at the file again at SIGHUP", async () => {
    const link = join(folder, "links/encryption.yaml");
    mkdirSync(join(folder, "links"));
    symlinkSync(file, link);
    configure(5, 4, 3, 2);
    await serving(
      ["--encryption-provider-config", link, "--encryption-provider-config-automatic-reload"],
      async (api, { pid }) => {
        configure(6, 5, 4, 3, 2);
        await api.send("POST", secrets, secret("five"));
        expect(await stored("secrets/default/five")).toContain("key key5");
        process.kill(pid, "SIGHUP");
        for (let i = 0; ; i++) {
          await api.send("POST", secrets, secret(`after-${i}`));
          if ((await stored(`secrets/default/after-${i}`)).includes("key key6")) break;
        }
        expect(await api.read("/readyz/kms-providers")).toEqual({ code: 200, text: "ok" });
        expect(await api.read("/readyz/poststarthook/start-encryption-provider-config-automatic-reload")).toEqual({
          code: 200,
          text: "ok",
        });
      },
    );
  });

  it("reloads nothing without a file", async () => {
    const { code, stderr } = await runCoxswain(
      `apiserver --data-dir ${folder}/wrong --secure-port 0 --encryption-provider-config-automatic-reload`,
    );
    expect(stderr).toContain(
      "--encryption-provider-config-automatic-reload must be set with --encryption-provider-config",
    );
    expect(code).toBe(2);
  });

  it("is not ready while a key management plugin does not answer, and alive all the same", async () => {
    const kms = join(folder, "kms.yaml");
    writeFileSync(
      kms,
      `apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources: [{resources: [events], providers: [{kms: {apiVersion: v2, name: gone, endpoint: "unix://${folder}/gone", timeout: 100ms}}, {identity: {}}]}]\n`,
    );
    const server = await startCoxswain({ dataDir: join(folder, "kms"), args: ["--encryption-provider-config", kms] });
    const api = connectApi(server.kubeconfig);
    expect((await api.read("/readyz")).text).toContain("[-]kms-providers failed: reason withheld");
    expect((await api.read("/readyz/kms-providers")).text).toContain("internal server error: kms-provider-0: ");
    expect(await api.read("/livez")).toEqual({ code: 200, text: "ok" });
    api.close();
    await server.stop();
  });

  it("stays in a backup", async () => {
    await coxswain(`store backup ${folder}/backup --data-dir ${dataDir}`);
    expect(readFileSync(join(folder, "backup")).includes(plain)).toBe(false);
  });

  const wrong = [
    { name: "is not there", text: undefined, message: "ENOENT" },
    {
      name: "is of another kind",
      text: "kind: Pod\napiVersion: v1\n",
      message: 'it must have "kind: EncryptionConfiguration"',
    },
    {
      name: "names no key",
      text: "kind: EncryptionConfiguration\napiVersion: apiserver.config.k8s.io/v1\nresources: [{resources: [secrets], providers: [{aescbc: {keys: []}}]}]\n",
      message: "resources[0].providers[0].aescbc.keys: Required value",
    },
  ];
  for (const { name, text, message } of wrong) {
    it(`refuses to start with a file that ${name}`, async () => {
      const path = join(folder, "wrong.yaml");
      rmSync(path, { force: true });
      if (text !== undefined) writeFileSync(path, text);
      const { code, stderr } = await runCoxswain(
        `apiserver --data-dir ${folder}/wrong --secure-port 0 --encryption-provider-config ${path}`,
      );
      expect(stderr).toContain(`the encryption configuration ${path} cannot be used: `);
      expect(stderr).toContain(message);
      expect(code).toBe(1);
    });
  }
});
