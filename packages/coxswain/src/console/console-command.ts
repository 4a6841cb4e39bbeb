import { readFileSync } from "node:fs";
import { type ClientConfig, createTransport, KubeconfigError, loadConfig, loadKubeconfig } from "@coxswain/client/node";
import { FlagError, formatHelp, type OptionsOf, parseOnlyFlags } from "@coxswain/component/flags";
import { type ConsoleOptions, serveConsole } from "@coxswain/console/relay";
import { systemRuntime } from "@coxswain/runtime";
import { untilSignal } from "../command/until-signal.js";
import { clusterFolder } from "../up/cluster-home.js";
import { isRunning, readState } from "../up/cluster-state.js";
import { consoleFolder } from "../up/console/console-folder.js";
import { consolePorts } from "../up/console/console-ports.js";
import { consoleFlags } from "./console-flags.js";

export async function runConsole(args: readonly string[]): Promise<number> {
  const parsed = parseOnlyFlags(consoleFlags, args);
  if (parsed.kind === "help") {
    process.stdout.write(
      formatHelp(consoleFlags, {
        usage: "coxswain console [flags]",
        description:
          "Serves a cluster in the browser, in the foreground. Credentials stay in this process; the link that is printed works once.",
      }),
    );
    return 0;
  }
  const { options } = parsed;
  const elsewhere = elsewhereOf(options);
  const { config, name } = chooseCluster(options);
  const runtime = systemRuntime();
  const upstream = createTransport(config, { runtime });
  const relay = await serveConsole(runtime, {
    upstream,
    folder: consoleFolder(),
    cluster: name,
    readOnly: options.readOnly ?? false,
    ports: consolePorts(options.port),
    ...(elsewhere && { elsewhere }),
  });
  const signal = untilSignal();
  process.stdout.write(
    `Console of ${name}:\n\n  ${relay.createLink()}\n\nThe link works once, for five minutes. Ctrl-C stops it.\n`,
  );
  await signal;
  await relay.stop();
  await upstream.close();
  return 0;
}

type Options = OptionsOf<typeof consoleFlags>;

/** @throws FlagError */
function elsewhereOf({ address, tlsCertFile, tlsPrivateKeyFile }: Options): ConsoleOptions["elsewhere"] {
  if (address === undefined) return undefined;
  if (tlsCertFile === undefined || tlsPrivateKeyFile === undefined)
    throw new FlagError(
      "--address needs --tls-cert-file and --tls-private-key-file: session keys must not travel in the clear",
    );
  return {
    host: address,
    names: [address.includes(":") ? `[${address}]` : address],
    cert: readFileSync(tlsCertFile, "utf8"),
    key: readFileSync(tlsPrivateKeyFile, "utf8"),
  };
}

/** What the flags name; else our own cluster, if it runs; else what kubectl would use. @throws FlagError */
function chooseCluster(options: Options): { readonly config: ClientConfig; readonly name: string } {
  const { kubeconfig: path, context } = options;
  try {
    if (path !== undefined || context !== undefined) {
      const config = path === undefined ? loadConfig({ context }) : loadKubeconfig({ path, context });
      return { config, name: context ?? nameOf(config) };
    }
    const state = readState(clusterFolder({ name: options.name, dataDir: undefined }));
    if (state && isRunning(state)) return { config: loadKubeconfig({ path: state.kubeconfig }), name: state.name };
    const config = loadConfig();
    return { config, name: nameOf(config) };
  } catch (error) {
    if (error instanceof KubeconfigError) throw new FlagError(error.message);
    throw error;
  }
}

const nameOf = ({ server }: ClientConfig): string => new URL(server).host;
