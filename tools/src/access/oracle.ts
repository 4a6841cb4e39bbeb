import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHttpsRequester } from "../record/https-requester.js";
import type { Requester } from "../record/player.js";
import { startEtcd, startKubeApiserver } from "../upstream/index.js";
import { accessTokens } from "./tokens.js";

/** kube-apiserver that decides: Node,RBAC with NodeRestriction. Requests with a bearer token are their bearer's, all others an administrator's. */
export async function startAccessOracle(): Promise<{ readonly request: Requester; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "coxswain-access-"));
  const undo: (() => Promise<unknown> | void)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const etcd = await startEtcd({ folder, sync: false });
    undo.push(() => etcd.stop());
    const tokens = join(folder, "tokens.csv");
    await writeFile(tokens, accessTokens, { mode: 0o600 });
    const apiserver = await startKubeApiserver({
      folder,
      etcdUrl: etcd.url,
      authorizationMode: "Node,RBAC",
      enableAdmissionPlugins: ["NodeRestriction"],
      flags: [`--token-auth-file=${tokens}`],
    });
    undo.push(() => apiserver.stop());
    const admin = createHttpsRequester(apiserver.access);
    const bearer = createHttpsRequester({
      ...apiserver.access,
      clientCertificate: undefined,
      clientKey: undefined,
    } as unknown as typeof apiserver.access);
    undo.push(
      () => admin.close(),
      () => bearer.close(),
    );
    return {
      request: (asked) =>
        ("authorization" in asked.headers ? bearer : admin).request({ ...asked, headers: inLines(asked.headers) }),
      stop,
    };
  } catch (err) {
    await stop();
    throw err;
  }
}

/** Several groups are several lines of one header. */
function inLines(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const groups = headers["impersonate-group"]?.split(", ");
  // Node's client takes lists; cases have texts only.
  return groups ? ({ ...headers, "impersonate-group": groups } as unknown as Record<string, string>) : headers;
}
