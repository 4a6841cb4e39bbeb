import { spawn } from "node:child_process";
import { createPrivateKey } from "node:crypto";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { systemRandom } from "@coxswain/runtime/random";
import {
  type CoxswainProcess,
  findKubectl,
  kubectlMinors,
  removeDataDir,
  runProgram,
  startCoxswain,
} from "@coxswain/tools/clients";
import { describeWith } from "@coxswain/tools/needs";
import { cachedOwnProgram } from "@coxswain/tools/programs";
import { type Certificate, createServerIdentity, encodePrivateKey, readCertificates } from "@coxswain/wire/x509";
import { expect, it } from "vitest";

interface Line {
  readonly type: "add" | "update" | "delete" | "synced" | "cache" | "error";
  readonly name?: string;
  readonly objects?: Readonly<Record<string, string>>;
  readonly message?: string;
}

/** A client-go informer as a process; `until` resolves when a line fits, among those already there too. */
function startInformer(program: string, kubeconfig: string, contentType: string) {
  const child = spawn(program, ["--kubeconfig", kubeconfig, "--content-type", contentType]);
  const lines: Line[] = [];
  let onLine: () => void = () => {};
  createInterface({ input: child.stdout }).on("line", (text) => {
    lines.push(JSON.parse(text) as Line);
    onLine();
  });
  const until = async (fits: (line: Line) => boolean, from = 0): Promise<Line> => {
    for (;;) {
      const found = lines.slice(from).find(fits);
      if (found) return found;
      await new Promise<void>((resolve) => (onLine = resolve));
    }
  };
  return {
    lines,
    until,
    cache: () => {
      const from = lines.length;
      child.stdin.write("\n");
      return until((line) => line.type === "cache", from);
    },
    stop: () => child.kill(),
  };
}

const program = cachedOwnProgram("informer");
const kubectlPath = findKubectl(kubectlMinors().at(-1) ?? "");

const isSlow = process.env["COXSWAIN_SLOW"] !== undefined;

const need = {
  found: program && kubectlPath,
  missing: "the program informer (npm run tool -- programs) and kubectl",
  timeout: 60_000,
};
describeWith("a client-go informer", need, () => {
  const kubectl = async (server: CoxswainProcess, args: string, input = ""): Promise<string> => {
    const { code, stdout, stderr } = await runProgram(kubectlPath as string, args.split(" "), {
      env: { KUBECONFIG: server.kubeconfig },
      input,
    });
    if (code !== 0) throw new Error(stderr);
    return stdout;
  };
  const pod = (name: string): string =>
    JSON.stringify({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name, namespace: "default" },
      spec: { containers: [{ name: "c", image: "i" }] },
    });
  const create = (server: CoxswainProcess, name: string): Promise<string> => kubectl(server, "create -f -", pod(name));
  const content = async (server: CoxswainProcess): Promise<Record<string, string>> => {
    const { items } = JSON.parse(await kubectl(server, "get --raw /api/v1/pods")) as {
      items: { metadata: { namespace: string; name: string; resourceVersion: string } }[];
    };
    return Object.fromEntries(
      items.map(({ metadata }) => [`${metadata.namespace}/${metadata.name}`, metadata.resourceVersion]),
    );
  };

  for (const contentType of ["application/json", "application/vnd.kubernetes.protobuf"]) {
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      it(`lists and watches pods as ${contentType} through a restart by ${signal}`, async () => {
        const first = await startCoxswain();
        await create(first, "before");
        const informer = startInformer(program as string, first.kubeconfig, contentType);
        await informer.until((line) => line.type === "synced");
        await create(first, "during");
        await informer.until((line) => line.name === "default/during");
        await first.stop(signal);

        const second = await startCoxswain({ dataDir: first.dataDir, port: first.port });
        await create(second, "after");
        await kubectl(second, "delete pod before -n default");
        await informer.until((line) => line.name === "default/after");
        await informer.until((line) => line.type === "delete" && line.name === "default/before");
        expect((await informer.cache()).objects).toEqual(await content(second));
        expect(informer.lines.filter((line) => line.type === "add").map((line) => line.name)).toEqual([
          "default/before",
          "default/during",
          "default/after",
        ]);
        informer.stop();
        await second.stop();
        removeDataDir(first);
      });
    }
  }

  // A minute: client-go looks into its token file no more often than that.
  if (!isSlow)
    console.warn("\n*** NOT TESTED: an informer whose token is replaced (it takes a minute: COXSWAIN_SLOW=1) ***\n");
  it.runIf(isSlow)(
    "goes on when its token and the server's certificate are replaced",
    { timeout: 180_000 },
    async () => {
      const folder = await startCoxswain();
      const pki = (name: string): string => join(folder.dataDir, "pki", name);
      await folder.stop();
      const tls = { cert: join(folder.dataDir, "tls.crt"), key: join(folder.dataDir, "tls.key") };
      const serve = (pair: { cert: string; key: string }): void => {
        copyFileSync(pair.key, tls.key);
        copyFileSync(pair.cert, tls.cert);
      };
      serve({ cert: pki("apiserver.crt"), key: pki("apiserver.key") });
      const args = ["--tls-cert-file", tls.cert, "--tls-private-key-file", tls.key];
      const server = await startCoxswain({ dataDir: folder.dataDir, args });
      const tokenFile = join(server.dataDir, "token");
      /** A token that ends with the secret it is bound to. */
      const giveToken = async (secret: string): Promise<void> => {
        await kubectl(server, `create secret generic ${secret}`);
        writeFileSync(
          tokenFile,
          await kubectl(server, `create token watcher --bound-object-kind=Secret --bound-object-name=${secret}`),
        );
      };
      await kubectl(server, "create serviceaccount watcher");
      await kubectl(
        server,
        "create clusterrolebinding watcher --clusterrole=cluster-admin --serviceaccount=default:watcher",
      );
      await giveToken("first");
      const ca = readFileSync(pki("ca.crt")).toString("base64");
      const kubeconfig = join(server.dataDir, "watcher.kubeconfig");
      writeFileSync(
        kubeconfig,
        JSON.stringify({
          apiVersion: "v1",
          kind: "Config",
          "current-context": "c",
          contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
          clusters: [
            { name: "c", cluster: { server: `https://127.0.0.1:${server.port}`, "certificate-authority-data": ca } },
          ],
          users: [{ name: "u", user: { tokenFile } }],
        }),
      );
      const informer = startInformer(program as string, kubeconfig, "application/json");
      await informer.until((line) => line.type === "synced");
      await create(server, "before");
      await informer.until((line) => line.name === "default/before");

      const authority = {
        certificate: readCertificates(readFileSync(pki("ca.crt"), "utf8"))[0] as Certificate,
        privateKey: createPrivateKey(readFileSync(pki("ca.key"))),
      };
      const renewed = createServerIdentity(authority, {
        subject: { commonName: "renewed" },
        hosts: ["127.0.0.1"],
        notBefore: Date.now() - 60_000,
        notAfter: Date.now() + 600_000,
        random: systemRandom,
      });
      writeFileSync(tls.key, encodePrivateKey(renewed.privateKey));
      writeFileSync(tls.cert, renewed.pem);
      await expect.poll(() => server.output(), { timeout: 10_000 }).toContain("new certificates are in use");
      await giveToken("second");
      await kubectl(server, "delete secret first");
      // The old token, which it still has at hand, is refused: until it reads its file again.
      await server.stop();
      const second = await startCoxswain({ dataDir: server.dataDir, port: server.port, args });
      await create(second, "after");
      await informer.until((line) => line.name === "default/after");
      expect((await informer.cache()).objects).toEqual(await content(second));
      expect(second.output()).toContain("service account token has been invalidated");
      informer.stop();
      await second.stop();
      removeDataDir(server);
    },
  );
});
