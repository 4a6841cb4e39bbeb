// npm run record -- attacks
// Tries on the real kube-apiserver what attackers try, and writes its answers to packages/apiserver/testdata/attacks/attacks.json.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { signingKey } from "@coxswain/wire/jwt";
import { kubernetesVersion, startEtcd, startKubeApiserver } from "../upstream/index.js";
import { answerOf, attackConfiguration, attackTokens, makeAttacks, type SendAttack } from "./attacks.js";

const target = join(
  resolve(dirname(fileURLToPath(import.meta.url)), "../../.."),
  "packages/apiserver/testdata/attacks/attacks.json",
);
const folder = await mkdtemp(join(tmpdir(), "coxswain-attacks-"));
const undo: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
try {
  const etcd = await startEtcd({ folder, sync: false });
  undo.push(() => etcd.stop());
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const flags = [
    `--token-auth-file=${await file("tokens.csv", attackTokens)}`,
    `--authentication-config=${await file("authentication.yaml", attackConfiguration)}`,
  ];
  const server = await startKubeApiserver({ folder, etcdUrl: etcd.url, authorizationMode: "Node,RBAC", flags });
  undo.push(() => server.stop());
  const send: SendAttack = ({ method, path, headers, body }) =>
    new Promise((done, failed) => {
      const { hostname, port } = new URL(server.access.server);
      const sent = request(
        { hostname, port, method, path, headers, ca: server.access.certificateAuthority, agent: false },
        (answer) => {
          let text = "";
          answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
          answer.on("end", () => done({ status: answer.statusCode ?? 0, body: text }));
        },
      );
      sent.on("error", failed);
      sent.end(body);
    });
  const key = signingKey(await readFile(join(folder, "service-account.key"), "utf8"));
  const answers: Record<string, object> = {};
  for (const attack of await makeAttacks(send, key)) answers[attack.name] = answerOf(await send(attack));
  const lines = Object.entries(answers).map(([name, answer]) => `  ${JSON.stringify(name)}: ${JSON.stringify(answer)}`);
  await writeFile(
    target,
    `{\n "server": ${JSON.stringify(kubernetesVersion)},\n "answers": {\n${lines.join(",\n")}\n }\n}\n`,
  );
  console.log(`${lines.length} answers`);
} finally {
  for (const step of undo.reverse()) await step();
}
