import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConnectionOptions } from "node:tls";
import { startEtcd, startKubeApiserver } from "@coxswain/tools/upstream";
import { startTestListener } from "../listener/test-listener.test.support.js";

/** With COXSWAIN_SUBJECT=upstream the same rows are put to kube-apiserver: what they expect is what it does. */
export const testsUpstream = process.env["COXSWAIN_SUBJECT"] === "upstream";

export interface Subject {
  /** How an administrator connects. */
  readonly admin: ConnectionOptions;
  /** How somebody without a certificate does. */
  readonly nobody: ConnectionOptions;
  /** Asks it to end, as a signal would, and resolves when it is gone. May be called more than once. */
  stop(): Promise<void>;
}

export async function startSubject(): Promise<Subject> {
  const subject = await (testsUpstream ? startUpstream() : startOurs());
  let stopped: Promise<void> | undefined;
  return { ...subject, stop: () => (stopped ??= subject.stop()) };
}

async function startOurs(): Promise<Subject> {
  const server = await startTestListener();
  return {
    admin: { port: server.port, ...server.tls() },
    nobody: { port: server.port, ...server.tls(false) },
    stop: () => server.stop(),
  };
}

async function startUpstream(): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), "http2-abuse-"));
  const etcd = await startEtcd({ folder, sync: false });
  const server = await startKubeApiserver({ folder, etcdUrl: etcd.url, authorizationMode: "RBAC" });
  const { certificateAuthority: ca, clientCertificate = "", clientKey = "" } = server.access;
  const nobody = { port: Number(new URL(server.access.server).port), ca };
  return {
    admin: { ...nobody, cert: clientCertificate, key: clientKey },
    nobody,
    async stop() {
      await server.stop();
      await etcd.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
