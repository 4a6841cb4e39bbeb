import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clusterFeatureGates, startComponents } from "@coxswain/cluster";
import { FlagError, formatHelp, type OptionsOf, parseOnlyFlags } from "@coxswain/component/flags";
import { fixedRootCa } from "@coxswain/controllers";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { runApiserver } from "../apiserver/run-apiserver.js";
import { runOptionsFrom } from "../apiserver/run-options.js";
import { serveUntilSignal } from "../apiserver/serve-until-signal.js";
import { boundHeapGrowth } from "../command/heap-growth.js";
import { loggerFrom } from "../command/log-flags.js";
import { untilSignal } from "../command/until-signal.js";
import { forAllSigners, keySettings } from "../controller-manager/key-settings.js";
import { envtestControllers } from "./envtest-controllers.js";
import { assetFlags, documentedFlags, refuseOthers } from "./kube-apiserver-asset-flags.js";
import { servingPair } from "./serving-pair.js";

type AssetOptions = OptionsOf<typeof assetFlags>;

/** `kube-apiserver` of the directory: the API from memory, and controllers that need no nodes, until a signal. */
export async function runKubeApiserverProgram(args: readonly string[]): Promise<number> {
  const signal = untilSignal();
  try {
    refuseOthers(args);
    const parsed = parseOnlyFlags(assetFlags, args);
    if (parsed.kind === "help") {
      process.stdout.write(formatHelp(documentedFlags, { usage: "kube-apiserver [flags]" }));
      return 0;
    }
    if (parsed.options.etcdServers.length === 0) throw new FlagError("--etcd-servers must be specified");
    return await serve(parsed.options, parsed.given, signal);
  } catch (error) {
    if (!(error instanceof FlagError)) throw error;
    process.stderr.write(`Error: ${error.message}\n`);
    return 1;
  }
}

async function serve(options: AssetOptions, given: ReadonlySet<string>, signal: Promise<unknown>): Promise<number> {
  const pair =
    options.tlsCertFile === undefined && options.tlsPrivateKeyFile === undefined
      ? servingPair(options.certDir, options.bindAddress)
      : {};
  const log = loggerFrom(given.has("v") ? options : { ...options, logLevel: "warn" });
  // For the certificates that the server has besides those it is given. Not in the certificate directory: several servers may share that.
  const dataDir = mkdtempSync(join(tmpdir(), "coxswain-envtest-"));
  try {
    const used = { ...options, ...pair, dataDir, storage: "memory", etcdServers: [] };
    const running = await runApiserver(
      { ...(await runOptionsFrom(used, givenForMemory(given), log)), announcesLater: true },
      log,
    );
    // They have been read. kube-api-test ends its programs with SIGKILL, after which nobody would delete the keys.
    rmSync(dataDir, { recursive: true, force: true });
    const { ca, serviceAccount } = running.certificates;
    const signingKey = options.serviceAccountSigningKeyFile;
    const components = startComponents({
      server: running.server,
      nodes: undefined,
      controllers: envtestControllers(),
      controllerSettings: {
        // Clients of this server trust its certificate; who signed that is not among the files.
        rootCa: fixedRootCa(used.tlsCertFile === undefined ? ca.certificate : readFileSync(used.tlsCertFile, "utf8")),
        ...keySettings({
          serviceAccountKey: signingKey === undefined ? serviceAccount.privateKey : readFileSync(signingKey, "utf8"),
          authorities: forAllSigners(() => ca),
        }),
      },
      featureGates: clusterFeatureGates(options.featureGates),
      scheduler: false,
      runtime: systemRuntime({ log, metrics: running.server.metrics }),
    });
    boundHeapGrowth(systemClock);
    const stop = async (): Promise<void> => {
      await components.stop();
      await running.stop();
    };
    return await serveUntilSignal({ failed: running.failed, stop }, signal, log);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Flags about etcd are taken and mean nothing; what kube-apiserver has by default counts as given. */
const givenForMemory = (given: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...[...given].filter((name) => !name.startsWith("etcd-")), "storage", "anonymous-auth"]);
