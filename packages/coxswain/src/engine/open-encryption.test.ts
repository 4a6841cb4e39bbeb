import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createReloadMetrics } from "@coxswain/apiserver";
import { createMetrics } from "@coxswain/component/metrics";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { silentLogger } from "@coxswain/runtime/log";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, describe, expect, it } from "vitest";
import { openEncryption } from "./open-encryption.js";

const secretOf = (byte: number, length = 32): string => Buffer.alloc(length, byte).toString("base64");
const keys = (...each: readonly [name: string, secret: string][]): string =>
  `apiVersion: apiserver.config.k8s.io/v1
kind: EncryptionConfiguration
resources:
- resources: [secrets]
  providers:
  - aesgcm:
      keys:
${each.map(([name, secret]) => `      - {name: ${name}, secret: "${secret}"}`).join("\n")}
`;

describe("a key file that changes while the server runs", () => {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-keys-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const unreadable = "the new encryption configuration cannot read what was written with the last one";
  const refused = "the encryption configuration was not reloaded; the last one stays in force";
  const taken = "the encryption configuration was reloaded";
  const rows = [
    { name: "another key before the old one", text: keys(["b", secretOf(2)], ["a", secretOf(1)]), logs: [taken] },
    { name: "a key of the wrong length", text: keys(["b", secretOf(2, 31)], ["a", secretOf(1)]), logs: [refused] },
    {
      name: "a key that is no base64",
      text: keys(["b", `${secretOf(2).slice(1)}!`], ["a", secretOf(1)]),
      logs: [refused],
    },
    {
      name: "a key without its padding",
      text: keys(["b", secretOf(2).slice(0, -1)], ["a", secretOf(1)]),
      logs: [refused],
    },
    { name: "other bytes under the same name", text: keys(["a", secretOf(3)]), logs: [unreadable, taken] },
  ];
  for (const { name, text, logs } of rows)
    it(`${name}: ${logs.includes(taken) ? "taken up" : "refused, counted and logged, and the old one stays"}`, async () => {
      const file = join(folder, "keys.yaml");
      writeFileSync(file, keys(["a", secretOf(1)]));
      const lines: string[] = [];
      let look = (): void => {};
      const looked = new Promise<void>((resolve) => (look = resolve));
      const log = (line: string): void => {
        lines.push(line);
        if (line === refused || line === taken) look();
      };
      const metrics = createMetrics();
      const encryption = await openEncryption(file, createMemoryStore({ runtime: systemRuntime() }), {
        root: "/registry/",
        runtime: systemRuntime({ log: { ...silentLogger, info: log, warn: log } }),
        metrics: createReloadMetrics("encryption", { metrics, hostname: "vm", clock: systemClock }),
        reload: true,
      });
      const key = "/registry/secrets/default/x";
      await encryption.store.put({ key, value: Buffer.from("hidden"), expected: 0 });
      writeFileSync(`${file}.new`, text);
      renameSync(`${file}.new`, file);
      await looked;
      expect(lines).toEqual(logs);
      const status = logs.includes(taken) ? "success" : "failure";
      expect(metrics.text()).toMatch(
        new RegExp(`apiserver_encryption_config_controller_automatic_reloads_total\\{.*status="${status}".*\\} 1`),
      );
      const read = encryption.store.get(key);
      if (logs.includes(unreadable)) await expect(read).rejects.toThrow("message authentication failed");
      else expect(Buffer.from((await read)!.value).toString()).toBe("hidden");
      await encryption.close();
    });
});
