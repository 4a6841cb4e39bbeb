import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { startCoxswain } from "@coxswain/tools/clients";
import { afterAll, describe, expect, it } from "vitest";
import { connectApi } from "../testing/api-client.js";

interface AuditEvent {
  readonly auditID: string;
  readonly stage: string;
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly responseStatus?: { readonly code: number };
}

const folder = mkdtempSync(join(tmpdir(), "coxswain-audit-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("coxswain apiserver with an audit log and a webhook", { timeout: 60_000 }, () => {
  it("has sent everything to both backends when it has ended", async () => {
    const sent: AuditEvent[] = [];
    const service = createServer((request, response) => {
      void text(request).then((body) => {
        sent.push(...(JSON.parse(body) as { items: AuditEvent[] }).items);
        response.end();
      });
    });
    service.listen(0, "127.0.0.1");
    await once(service, "listening");
    const policy = join(folder, "policy.yaml");
    const kubeconfig = join(folder, "webhook.yaml");
    const log = join(folder, "logs", "audit.log");
    writeFileSync(
      policy,
      "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata, users: [kubernetes-admin]}]\n",
    );
    writeFileSync(
      kubeconfig,
      `current-context: c\ncontexts: [{name: c, context: {cluster: c}}]\nclusters: [{name: c, cluster: {server: "http://127.0.0.1:${(service.address() as AddressInfo).port}/"}}]\n`,
    );
    const server = await startCoxswain({
      dataDir: join(folder, "data"),
      args: [
        "--storage=memory",
        `--audit-policy-file=${policy}`,
        `--audit-log-path=${log}`,
        `--audit-webhook-config-file=${kubeconfig}`,
        "--audit-webhook-batch-max-wait=1h",
      ],
    });
    const api = connectApi(server.kubeconfig);
    for (let at = 0; at < 20; at += 1)
      await api.send("POST", "/api/v1/namespaces/default/configmaps", { metadata: { name: `c-${at}` } });
    const ended = new AbortController();
    let watching: Promise<void> | undefined;
    await new Promise<void>(
      (resolve) =>
        (watching = api.watch("/api/v1/namespaces/default/configmaps?watch=1", () => resolve(), ended.signal)),
    );
    // A batch waits for an hour: nothing would be sent but for the end.
    expect(sent).toEqual([]);
    expect(await server.stop()).toBe(0);
    await watching;
    api.close();
    service.close();
    const written = readFileSync(log, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as AuditEvent);
    const shown = ({ auditID, stage, verb, responseStatus }: AuditEvent): string =>
      `${auditID} ${stage} ${verb} ${responseStatus?.code ?? ""}`;
    expect(sent.map(shown).sort()).toEqual(written.map(shown).sort());
    expect(
      written
        .filter(({ verb, stage }) => verb === "create" && stage === "ResponseComplete")
        .map(({ responseStatus }) => responseStatus?.code),
    ).toEqual(Array(20).fill(201));
    expect(written.filter(({ verb }) => verb === "watch").map(({ stage }) => stage)).toEqual([
      "RequestReceived",
      "ResponseStarted",
      "ResponseComplete",
    ]);
  });
});
