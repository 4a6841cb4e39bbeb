import { readFileSync } from "node:fs";
import { connect } from "node:http2";
import { join } from "node:path";
import { type CoxswainProcess, removeDataDir, startCoxswain } from "@coxswain/tools/clients";
import { describe, expect, it } from "vitest";

const configMaps = "/api/v1/namespaces/default/configmaps";

function openSession({ dataDir, port }: CoxswainProcess) {
  const file = (name: string): Buffer => readFileSync(join(dataDir, "pki", name));
  const session = connect(`https://127.0.0.1:${port}`, {
    ca: file("ca.crt"),
    cert: file("admin.crt"),
    key: file("admin.key"),
  });
  session.on("error", () => {});
  return session;
}

/** What became of a request: a status, "refused" (never begun: a client tries again elsewhere), or "broken" (begun and cut). */
function create(session: ReturnType<typeof openSession>, name: string): Promise<number | "refused" | "broken"> {
  return new Promise((resolve) => {
    const { closed, destroyed } = session;
    if (closed || destroyed) return resolve("refused");
    const stream = session.request({ ":method": "POST", ":path": configMaps, "content-type": "application/json" });
    let status = 0;
    stream.on("response", (headers) => (status = headers[":status"] ?? 0));
    stream.on("data", () => {});
    stream.on("end", () => resolve(status || "broken"));
    // A stream that the server never looked at is cancelled with its session, or refused by number.
    stream.on("error", (err: NodeJS.ErrnoException) =>
      resolve(
        status === 0 && /GOAWAY|STREAM_CANCEL|REFUSED|INVALID_SESSION/.test(`${err.code} ${err.message}`)
          ? "refused"
          : "broken",
      ),
    );
    stream.end(JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } }));
  });
}

async function namesOf(server: CoxswainProcess): Promise<Set<string>> {
  const session = openSession(server);
  const text = await new Promise<string>((resolve) => {
    const stream = session.request({ ":path": configMaps });
    let body = "";
    stream.on("data", (chunk) => (body += String(chunk)));
    stream.on("end", () => resolve(body));
  });
  session.close();
  return new Set(
    (JSON.parse(text) as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name),
  );
}

describe("the end of a server under load", { timeout: 60_000 }, () => {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    it(`${signal}: ${signal === "SIGTERM" ? "every request that was begun is answered, and " : ""}what was acknowledged is there after a restart`, async () => {
      const server = await startCoxswain();
      const outcomes: (number | "refused" | "broken")[] = [];
      const acknowledged: string[] = [];
      const writers = Array.from({ length: 16 }, async (_, writer) => {
        const session = openSession(server);
        // Until the server no longer answers.
        for (let at = 0; ; at++) {
          const name = `w${writer}-${at}`;
          const outcome = await create(session, name);
          outcomes.push(outcome);
          if (outcome === 201) acknowledged.push(name);
          if (typeof outcome === "string") break;
        }
        session.destroy();
      });
      while (acknowledged.length < 300) await new Promise((resolve) => setTimeout(resolve, 10));
      const stopped = server.stop(signal);
      await Promise.all(writers);
      expect(await stopped).toBe(signal === "SIGTERM" ? 0 : null);
      if (signal === "SIGTERM")
        expect(outcomes.filter((outcome) => outcome !== 201 && outcome !== "refused")).toEqual([]);

      const again = await startCoxswain({ dataDir: server.dataDir });
      const names = await namesOf(again);
      expect(acknowledged.filter((name) => !names.has(name))).toEqual([]);
      await again.stop();
      removeDataDir(server);
    });
  }
});
