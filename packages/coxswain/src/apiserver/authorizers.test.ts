import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AuthorizerConfig, createReloadMetrics } from "@coxswain/apiserver";
import { parseFlags } from "@coxswain/component/flags";
import { createMetrics } from "@coxswain/component/metrics";
import { systemClock } from "@coxswain/runtime/clock";
import type { Logger } from "@coxswain/runtime/log";
import { afterAll, describe, expect, it } from "vitest";
import { authorizationFlags } from "./authorization-flags.js";
import { authorizersFrom, watchAuthorizationConfig } from "./authorizers.js";

const folder = mkdtempSync(join(tmpdir(), "coxswain-authorizers-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const abac = file("policy", '{"user":"a"}\n');
const kubeconfig = file(
  "kubeconfig",
  "current-context: c\ncontexts: [{name: c, context: {cluster: c}}]\nclusters: [{name: c, cluster: {server: https://decider}}]\n",
);
const chain = (...types: string[]): string =>
  `apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\nauthorizers:\n${types.map((type) => `- {type: ${type}, name: ${type.toLowerCase()}}\n`).join("")}`;

function from(...args: string[]): AuthorizerConfig[] {
  const parsed = parseFlags(authorizationFlags, args);
  if (parsed.kind === "help") throw new Error("help");
  return authorizersFrom(parsed.options, parsed.given);
}

describe("the flags of authorization", () => {
  it("are Node and RBAC by default", () =>
    expect(from()).toEqual([
      { type: "Node", name: "node" },
      { type: "RBAC", name: "rbac" },
    ]));
  it("read what the modes need", () =>
    expect(
      from(
        "--authorization-mode=ABAC,Webhook",
        `--authorization-policy-file=${abac}`,
        `--authorization-webhook-config-file=${kubeconfig}`,
        "--authorization-webhook-version=v1",
      ),
    ).toMatchObject([
      { type: "ABAC", policies: [{ user: "a" }] },
      {
        type: "Webhook",
        webhook: {
          connection: { server: "https://decider" },
          version: "v1",
          authorizedMs: 300_000,
          unauthorizedMs: 30_000,
          failurePolicy: "NoOpinion",
        },
      },
    ]));
  it("or a configuration", () =>
    expect(from(`--authorization-config=${file("config", chain("RBAC"))}`)).toEqual([{ type: "RBAC", name: "rbac" }]));

  const wrong: [args: string[], message: string][] = [
    [["--authorization-mode=ABAC"], "authorization-mode ABAC's authorization policy file not passed"],
    [["--authorization-mode=Webhook"], "authorization-mode Webhook's authorization config file not passed"],
    [[`--authorization-policy-file=${abac}`], "cannot specify --authorization-policy-file without mode ABAC"],
    [["--authorization-mode=RBAC,RBAC"], 'authorization-mode ["RBAC" "RBAC"] has mode specified more than once'],
    [
      ["--authorization-mode=RBAC", "--authorization-config=x"],
      "--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined",
    ],
  ];
  for (const [args, message] of wrong) it(message, () => expect(() => from(...args)).toThrow(new Error(message)));
});

describe("a configuration that changes", () => {
  it("is read again, unless it cannot be used", async () => {
    const path = file("changing", chain("Node", "RBAC"));
    const first = from(`--authorization-config=${path}`);
    const logged: string[] = [];
    let wake: () => void = () => {};
    const note = (text: string): void => {
      logged.push(text);
      wake();
    };
    const log = {
      info: note,
      error: (_text: string, fields: { error: Error }) => note(fields.error.message.replace(path, "file")),
    } as unknown as Logger;
    const next = (): Promise<void> => new Promise((resolve) => (wake = resolve));
    const replaced: string[] = [];
    const metrics = createMetrics();
    const following = watchAuthorizationConfig(
      path,
      first,
      log,
      (configs) => replaced.push(configs.map(({ name }) => name).join()),
      { metrics: createReloadMetrics("authorization", { metrics, hostname: "vm", clock: systemClock }) },
    );
    const refused = next();
    file("changing", chain("RBAC"));
    await refused;
    expect(logged[0]).toMatch(
      /^file: (authorizers other than webhooks cannot be added|authorizers: Required value|failed to load AuthorizationConfiguration)/,
    ); // A half-written file is refused, too.
    while (!logged.includes("authorization configuration read again")) {
      const nextLine = next();
      file("changing", `# changed ${logged.length}\n${chain("RBAC", "Node")}`);
      await nextLine;
    }
    expect(replaced).toEqual(["rbac,node"]);
    expect(metrics.text()).toMatch(
      /apiserver_authorization_config_controller_automatic_reloads_total\{apiserver_id_hash="sha256:[0-9a-f]{64}",status="success"\} 1\n/,
    );
    expect(metrics.text()).toMatch(
      /apiserver_authorization_config_controller_automatic_reloads_total\{apiserver_id_hash="sha256:[0-9a-f]{64}",status="failure"\} [1-9]/,
    );
    following.stop();
  });
});
