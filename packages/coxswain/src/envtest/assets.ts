import { createHash } from "node:crypto";
import { chmodSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { makeDirectory } from "@coxswain/component/files";
import { formatHelp } from "@coxswain/component/flags";

/** What a directory's scripts start. */
export interface Launch {
  /** Node's own program. */
  readonly node: string;
  /** The script that starts `coxswain`. */
  readonly launcher: string;
}

const ownLaunch = (): Launch => ({ node: process.execPath, launcher: realpathSync(process.argv[1] ?? "") });

/** Below the user's cache; another installation of Node or of this package has another one. */
export function assetsFolder({ node, launcher } = ownLaunch(), environment: NodeJS.ProcessEnv = process.env): string {
  const cache =
    environment["COXSWAIN_CACHE_DIR"] || join(environment["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "coxswain");
  const installation = createHash("sha256").update(`${node}\n${launcher}`).digest("hex").slice(0, 16);
  return join(cache, "envtest", installation);
}

/** Writes the three programs. Those that are there are replaced one by one, so that other processes may start them meanwhile. */
export async function writeAssets(folder: string, launch = ownLaunch()): Promise<void> {
  const { etcdFlags } = await import("./etcd-flags.js");
  const { documentedFlags } = await import("./kube-apiserver-asset-flags.js");
  makeDirectory(folder);
  const write = (name: string, text: string): void => {
    const partial = join(folder, `.${name}.${process.pid}`);
    writeFileSync(partial, text);
    chmodSync(partial, name.endsWith(".help") ? 0o644 : 0o755);
    renameSync(partial, join(folder, name));
  };
  write("etcd.help", formatHelp(etcdFlags, { usage: "etcd [flags]", description: "Answers as etcd for envtest." }));
  write(
    "kube-apiserver.help",
    formatHelp(documentedFlags, {
      usage: "kube-apiserver [flags]",
      description: "Serves the Kubernetes API for envtest, from memory.",
    }),
  );
  for (const name of ["etcd", "kube-apiserver"]) write(name, programScript(name, folder, launch));
  write("kubectl", kubectlScript(folder));
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** envtest looks for flags in `--help` before every start: answered without Node, that costs nothing. */
export const programScript = (name: string, folder: string, { node, launcher }: Launch): string => `#!/bin/sh
if [ "$1" = --help ]; then exec cat ${quoted(join(folder, `${name}.help`))}; fi
exec ${quoted(node)} ${quoted(launcher)} envtest ${name} "$@"
`;

/** The directory may be part of PATH: its own script is passed over. */
export const kubectlScript = (folder: string): string => `#!/bin/sh
set -f
IFS=:
for folder in $PATH; do
  if [ -x "$folder/kubectl" ] && ! [ "$folder/kubectl" -ef ${quoted(join(folder, "kubectl"))} ]; then
    exec "$folder/kubectl" "$@"
  fi
done
echo 'there is no kubectl in PATH. Install it with your package manager (brew install kubectl, apt-get install kubectl), or see https://kubernetes.io/docs/tasks/tools' >&2
exit 127
`;
