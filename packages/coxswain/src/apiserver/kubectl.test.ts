import { spawn } from "node:child_process";
import { type CoxswainProcess, findKubectl, removeDataDir, runProgram, startCoxswain } from "@coxswain/tools/clients";
import { describeWith } from "@coxswain/tools/needs";
import { afterAll, beforeAll, expect, it } from "vitest";

const pod = (label: string): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web", labels: { app: label } },
    spec: { containers: [{ name: "web", image: "nginx" }] },
  });

/** As a person would type it, with the oldest and the newest kubectl that we promise. */
for (const minor of ["1.27", "1.33"]) {
  const missing = `kubectl ${minor} (set COXSWAIN_KUBECTL_DIR to a folder with kubectl.${minor})`;
  describeWith(`kubectl ${minor}`, { found: findKubectl(minor), missing, timeout: 60_000 }, (kubectlPath) => {
    let server: CoxswainProcess;
    const home = `/tmp/coxswain-kubectl-${minor}-${process.pid}`;
    const kubectl = async (args: string, input?: string): Promise<string> => {
      const options = { env: { KUBECONFIG: server.kubeconfig, HOME: home }, ...(input === undefined ? {} : { input }) };
      const { code, stdout, stderr } = await runProgram(kubectlPath, args.split(" "), options);
      if (code !== 0) throw new Error(`kubectl ${args}: ${stderr}`);
      return stdout;
    };
    beforeAll(async () => {
      server = await startCoxswain();
    });
    afterAll(async () => {
      const code = await server.stop();
      removeDataDir(server);
      if (code !== 0) throw new Error(`the server ended with ${code}`);
    });

    it("creates and gets a namespace, a config map and a pod", async () => {
      expect(await kubectl("create namespace shop")).toBe("namespace/shop created\n");
      expect(await kubectl("-n shop create configmap colours --from-literal=sky=blue")).toBe(
        "configmap/colours created\n",
      );
      expect(await kubectl("-n shop create -f -", pod("one"))).toBe("pod/web created\n");
      expect(await kubectl("get namespaces -o name")).toContain("namespace/shop");
      expect(await kubectl("-n shop get configmap colours -o jsonpath={.data.sky}")).toBe("blue");
      expect(await kubectl("-n shop get pods")).toMatch(
        /^NAME +READY +STATUS +RESTARTS +AGE\nweb +0\/1 +Pending +0 +\d+s\n$/,
      );
      expect(await kubectl("-n shop get pods -o wide --show-labels")).toContain("app=one");
    });

    it("watches: what happens is printed as it happens", async () => {
      const watch = spawn(kubectlPath, ["-n", "shop", "get", "configmaps", "-w", "-o", "name"], {
        env: { ...process.env, KUBECONFIG: server.kubeconfig, HOME: home },
      });
      let seen = "";
      const until = (text: string): Promise<void> =>
        new Promise((resolve) => {
          watch.stdout.on("data", (chunk) => {
            seen += String(chunk);
            if (seen.includes(text)) resolve();
          });
        });
      await until("configmap/colours");
      const arrived = until("configmap/later");
      await kubectl("-n shop create configmap later");
      await arrived;
      watch.kill();
    });

    it("applies: created, unchanged, configured", async () => {
      await kubectl("create namespace applied");
      expect(await kubectl("-n applied apply -f -", pod("one"))).toBe("pod/web created\n");
      expect(await kubectl("-n applied apply -f -", pod("one"))).toBe("pod/web unchanged\n");
      expect(await kubectl("-n applied apply -f -", pod("two"))).toBe("pod/web configured\n");
      expect(await kubectl("-n applied get pod web -o jsonpath={.metadata.labels.app}")).toBe("two");
    });

    it("explains and lists what there is", async () => {
      expect(await kubectl("explain pod.spec.containers.image")).toMatch(/FIELD: image <string>/);
      expect(await kubectl("explain configmaps")).toMatch(/KIND: +ConfigMap/);
      const resources = await kubectl("api-resources");
      for (const line of [
        /^configmaps +cm +v1 +true +ConfigMap$/m,
        /^namespaces +ns +v1 +false +Namespace$/m,
        /^pods +po +v1 +true +Pod$/m,
      ])
        expect(resources).toMatch(line);
    });

    it("deletes; a namespace ends when its finalizer is taken, as upstream without a controller manager", async () => {
      expect(await kubectl("-n shop delete pod web")).toContain('pod "web" deleted');
      expect(await kubectl("-n shop delete configmap colours")).toContain('configmap "colours" deleted');
      await kubectl("delete namespace shop --wait=false");
      expect(await kubectl("get namespace shop")).toMatch(/shop +Terminating/);
      await expect(kubectl("-n shop create configmap more")).rejects.toThrow("because it is being terminated");
      const namespace = JSON.parse(await kubectl("get namespace shop -o json")) as { spec: { finalizers: string[] } };
      namespace.spec.finalizers = [];
      await kubectl("replace --raw /api/v1/namespaces/shop/finalize -f -", JSON.stringify(namespace));
      await expect(kubectl("get namespace shop")).rejects.toThrow('namespaces "shop" not found');
    });

    it("reports errors as upstream does", async () => {
      await expect(kubectl("get pod nobody")).rejects.toThrow('Error from server (NotFound): pods "nobody" not found');
      await expect(kubectl("create namespace default")).rejects.toThrow(
        'Error from server (AlreadyExists): namespaces "default" already exists',
      );
      await expect(kubectl("-n nowhere create configmap a")).rejects.toThrow('namespaces "nowhere" not found');
    });
  });
}
