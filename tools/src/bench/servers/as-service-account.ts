import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { createHttpsRequester } from "../../record/https-requester.js";
import { namespaces } from "../workload.js";
import type { BenchServer } from "./server.js";

const namespace = namespaces.configMaps;
const rbac = "rbac.authorization.k8s.io";

/** A role as operators have them: a few rules, of which the last one is needed here. */
const rules = [
  {
    apiGroups: ["apps"],
    resources: ["deployments", "statefulsets"],
    verbs: ["get", "list", "watch", "update", "patch"],
  },
  { apiGroups: [""], resources: ["pods", "pods/log"], verbs: ["get", "list", "watch"] },
  { apiGroups: [""], resources: ["events"], verbs: ["create", "patch"] },
  { apiGroups: [""], resources: ["configmaps"], verbs: ["*"] },
];

/**
 * The server as a service account of the bench's namespace reaches it: by a bound token, with a role for that namespace,
 * and not exempt from priority and fairness. May be called several times for one name.
 */
export async function asServiceAccount(server: BenchServer, name: string): Promise<BenchServer> {
  const { request, close } = createHttpsRequester(server.access);
  const post = async (path: string, body: unknown): Promise<string> => {
    const answer = await request({
      method: "POST",
      path,
      headers: { "content-type": "application/json" },
      body: Buffer.from(JSON.stringify(body)),
      signal: AbortSignal.timeout(10_000),
    });
    return text(answer.body as Readable);
  };
  try {
    const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
    const roles = `/apis/${rbac}/v1/namespaces/${namespace}`;
    const role = `bench-${name}`;
    await post(accounts, { metadata: { name } });
    await post(`${roles}/roles`, { metadata: { name: role }, rules });
    await post(`${roles}/rolebindings`, {
      metadata: { name: role },
      roleRef: { apiGroup: rbac, kind: "Role", name: role },
      subjects: [{ kind: "ServiceAccount", name, namespace }],
    });
    const tokenRequest = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
    const { status } = JSON.parse(await post(`${accounts}/${name}/token`, tokenRequest)) as {
      status: { token: string };
    };
    const { server: url, certificateAuthority } = server.access;
    return { ...server, access: { server: url, certificateAuthority, token: status.token } };
  } finally {
    close();
  }
}
