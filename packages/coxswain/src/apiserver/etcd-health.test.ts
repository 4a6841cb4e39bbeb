import { removeDataDir, startCoxswain } from "@coxswain/tools/clients";
import { describeWith } from "@coxswain/tools/needs";
import { expect, it } from "vitest";
import { connectApi } from "../testing/api-client.js";
import { hasEtcd, startEtcd } from "../testing/etcd-process.js";

const need = { found: hasEtcd(), missing: "etcd (apt-get install etcd-server)", timeout: 60_000 };
describeWith("a server whose etcd is gone", need, () => {
  it("is not ready, and reports why on the check's own path", async () => {
    const etcd = await startEtcd();
    const server = await startCoxswain({ args: ["--etcd-servers", etcd.url] });
    const api = connectApi(server.kubeconfig);
    expect(await api.read("/readyz")).toEqual({ code: 200, text: "ok" });
    await etcd.stop();
    expect((await api.read("/readyz")).text).toContain("[-]etcd failed: reason withheld\n");
    expect(await api.read("/livez/etcd")).toMatchObject({
      code: 500,
      text: expect.stringContaining("error getting data from etcd: ") as string,
    });
    api.close();
    await server.stop("SIGKILL");
    removeDataDir(server);
  });
});
