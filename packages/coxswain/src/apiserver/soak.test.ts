import { readFileSync } from "node:fs";
import { startSoak } from "@coxswain/tools/bench";
import { removeDataDir, startCoxswain } from "@coxswain/tools/clients";
import { parseKubeconfig } from "@coxswain/tools/upstream";
import { expect, it } from "vitest";

/** A slice of `npm run tool -- soak`, counted in writes and not in time. */
it("idle watches stay open beside writers, and wake", { timeout: 60_000 }, async () => {
  const server = await startCoxswain();
  try {
    const access = parseKubeconfig(readFileSync(server.kubeconfig, "utf8"));
    const soak = await startSoak({ access, namespace: "default", watchers: 200, writers: 4 });
    const { writes } = await soak.work((count) => count >= 400);
    expect(writes).toBeGreaterThanOrEqual(400);
    expect(await soak.wake(new Promise(() => {}))).toBe(200);
    soak.close();
  } finally {
    await server.stop();
    removeDataDir(server);
  }
});
