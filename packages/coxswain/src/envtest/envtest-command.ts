import { defineFlags, FlagError, formatHelp, parseOnlyFlags } from "@coxswain/component/flags";
import { assetsFolder, writeAssets } from "./assets.js";

export const envtestFlags = defineFlags({
  "print-path": {
    group: "Assets",
    type: "boolean",
    help: "Make the directory if it is not there, and print its path and nothing else.",
  },
  help: { group: "Help", type: "boolean", help: "Show this text." },
});

/** The programs of the directory run this command with their name as its first word. */
const programs: Readonly<Record<string, () => Promise<(args: readonly string[]) => Promise<number>>>> = {
  etcd: async () => (await import("./etcd-program.js")).runEtcdProgram,
  "kube-apiserver": async () => (await import("./kube-apiserver-program.js")).runKubeApiserverProgram,
};

export async function runEnvtest(args: readonly string[]): Promise<number> {
  const [first = "", ...rest] = args;
  const load = Object.hasOwn(programs, first) ? programs[first] : undefined;
  if (load) return (await load())(rest);
  const parsed = parseOnlyFlags(envtestFlags, args);
  if (parsed.kind === "help") {
    process.stdout.write(
      formatHelp(envtestFlags, {
        usage: "coxswain envtest [--print-path]",
        description:
          "Makes a directory for KUBEBUILDER_ASSETS, with kube-apiserver, etcd and kubectl as controller-runtime's envtest starts them.",
      }),
    );
    return 0;
  }
  if (process.platform === "win32")
    throw new FlagError("the programs are scripts of a POSIX shell: on Windows, run this in WSL");
  const folder = assetsFolder();
  await writeAssets(folder);
  process.stdout.write(parsed.options.printPath ? `${folder}\n` : `export KUBEBUILDER_ASSETS='${folder}'\n`);
  return 0;
}
