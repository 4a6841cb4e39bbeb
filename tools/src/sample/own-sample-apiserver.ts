import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type SampleApiserver, startListening } from "./start-listening.js";

export interface OwnSampleOptions {
  /** Holds its store, its certificate and its log; must exist. */
  readonly folder: string;
  /** Of the server in front of it: who may ask is decided there. */
  readonly kubeconfig: string;
}

const main = fileURLToPath(new URL("../../../examples/dist/sample-apiserver/main.js", import.meta.url));

/** Starts the sample API server of our examples, and waits until it listens. */
export const startOwnSampleApiserver = ({ folder, kubeconfig }: OwnSampleOptions): Promise<SampleApiserver> =>
  startListening({
    command: process.execPath,
    logFile: join(folder, "sample-apiserver.log"),
    args: (port) => [
      main,
      `--data-dir=${join(folder, "sample-data")}`,
      "--bind-address=127.0.0.1",
      `--secure-port=${port}`,
      `--cert-dir=${join(folder, "sample-certificates")}`,
      `--kubeconfig=${kubeconfig}`,
    ],
  });
