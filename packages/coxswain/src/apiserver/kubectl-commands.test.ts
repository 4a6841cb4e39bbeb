import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type CoxswainProcess,
  commands,
  findKubectl,
  makeScene,
  nameOf,
  removeDataDir,
  runCommands,
  type Scene,
  startCoxswain,
} from "@coxswain/tools/clients";
import { describeWith } from "@coxswain/tools/needs";
import { afterAll, beforeAll, expect, it } from "vitest";

/** The short set of `npm run tool -- clients`, with the oldest and the newest kubectl that is commonly there. Each needs what the one before it made. */
for (const minor of ["1.27", "1.33"]) {
  const need = { found: findKubectl(minor), missing: `kubectl ${minor}`, timeout: 60_000 };
  describeWith(`what people type, kubectl ${minor}`, need, (kubectl) => {
    const folder = mkdtempSync(join(tmpdir(), "coxswain-commands-"));
    let server: CoxswainProcess;
    let scene: Scene;
    beforeAll(async () => {
      server = await startCoxswain();
      scene = makeScene({ folder: join(folder, "scene"), kubectl, kubeconfig: server.kubeconfig });
    });
    afterAll(async () => {
      await server.stop();
      removeDataDir(server);
      rmSync(folder, { recursive: true, force: true });
    });
    for (const command of commands.filter(({ short }) => short)) {
      it(nameOf(command), async () => {
        const outcomes = await runCommands({ commands: [command], scene, minor: Number(minor.slice(2)) });
        expect(outcomes.get(command)?.problem ?? "").toBe("");
      });
    }
  });
}
