import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { removeDataDir, startCoxswain } from "@coxswain/tools/clients";
import { describeWith } from "@coxswain/tools/needs";
import { cachedOwnProgram } from "@coxswain/tools/programs";
import { expect, it } from "vitest";

interface Line {
  readonly type: "synced" | "problem" | "report";
  readonly message?: string;
  readonly resources?: number;
  readonly informers?: number;
  readonly objects?: number;
  readonly writes?: number;
  readonly disconnects?: number;
}

const program = cachedOwnProgram("all-informers");

/** Of churn; COXSWAIN_SLOW=1 for a whole minute. */
const seconds = process.env["COXSWAIN_SLOW"] === undefined ? "5" : "60";

/** The program's lines so far, `synced` when every informer has its cache, `ended` when it has compared all of them. */
function startAllInformers(
  kubeconfig: string,
  { contentType, watchList }: { contentType: string; watchList: boolean },
) {
  const args = ["--kubeconfig", kubeconfig, "--content-type", contentType, "--seconds", seconds, "--settle", "45"];
  const child = spawn(program as string, args, {
    env: { ...process.env, KUBE_FEATURE_WatchListClient: String(watchList) },
  });
  const lines: Line[] = [];
  const ended = once(child, "close");
  const synced = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (text) => {
      lines.push(JSON.parse(text) as Line);
      if (lines.some(({ type }) => type === "synced")) resolve();
    });
    void ended.then(() => resolve());
  });
  return { lines, synced, ended };
}

describeWith(
  "client-go informers on every resource, through churn and a restart",
  { found: program, missing: "the program all-informers (npm run tool -- programs)", timeout: 180_000 },
  () => {
    const cases = [
      { contentType: "application/vnd.kubernetes.protobuf", watchList: true, signal: "SIGKILL" },
      { contentType: "application/json", watchList: false, signal: "SIGTERM" },
    ] as const;
    for (const { signal, ...forms } of cases) {
      it(`hold what the server lists: ${forms.contentType}, ${forms.watchList ? "streamed lists" : "plain lists"}, ${signal}`, async () => {
        const first = await startCoxswain();
        const informers = startAllInformers(first.kubeconfig, forms);
        await informers.synced;
        await new Promise((resolve) => setTimeout(resolve, 1_500));
        await first.stop(signal);
        const second = await startCoxswain({ dataDir: first.dataDir, port: first.port });
        await informers.ended;
        await second.stop();
        removeDataDir(first);
        expect(informers.lines.filter(({ type }) => type === "problem").map(({ message }) => message)).toEqual([]);
        const report = informers.lines.at(-1);
        expect(report).toMatchObject({ type: "report" });
        expect(report?.resources).toBeGreaterThan(50);
        expect(report?.writes).toBeGreaterThan(20); // some hundreds, unless the machine is busy
        expect(report?.disconnects).toBeGreaterThan(0);
      });
    }
  },
);
