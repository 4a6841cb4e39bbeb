import type { Command } from "./command/command.js";

/** Loaded when it is called, so that the others start without it. */
const lazy = (name: string, summary: string, load: () => Promise<Command["run"]>): Command => ({
  name,
  summary,
  run: async (args) => (await load())(args),
});

const all: readonly Command[] = [
  lazy("up", "Starts a cluster in one process.", async () => (await import("./up/up-command.js")).runUp),
  lazy("down", "Stops a cluster; its data stays.", async () => (await import("./up/down-command.js")).runDown),
  lazy("status", "Lists clusters.", async () => (await import("./up/status-command.js")).runStatus),
  lazy(
    "wait",
    "Waits until a cluster and its nodes are ready.",
    async () => (await import("./up/wait-command.js")).runWait,
  ),
  lazy("logs", "Shows the log of a cluster.", async () => (await import("./up/logs-command.js")).runLogs),
  lazy("reset", "Deletes a cluster.", async () => (await import("./up/reset-command.js")).runReset),
  lazy(
    "node",
    "Makes this machine a node; makes simulated nodes fail and recover.",
    async () => (await import("./node/node-command.js")).runNode,
  ),
  lazy(
    "token",
    "Makes tokens with which machines join a cluster.",
    async () => (await import("./token/token-command.js")).runToken,
  ),
  lazy("join", "Makes this machine a node of a cluster.", async () => (await import("./join/join-command.js")).runJoin),
  lazy(
    "leave",
    "Takes back what join made on this machine.",
    async () => (await import("./join/leave-command.js")).runLeave,
  ),
  lazy(
    "image",
    "Loads images of an archive into real nodes.",
    async () => (await import("./image/image-command.js")).runImage,
  ),
  lazy(
    "console",
    "Serves a cluster in the browser, in the foreground.",
    async () => (await import("./console/console-command.js")).runConsole,
  ),
  lazy("kubectl", "Runs kubectl on a cluster.", async () => (await import("./up/kubectl-command.js")).runKubectl),
  lazy(
    "doctor",
    "Checks what clusters need of this machine.",
    async () => (await import("./doctor/doctor-command.js")).runDoctor,
  ),
  lazy(
    "version",
    "Shows versions: of this program, of Kubernetes, of Node.",
    async () => (await import("./version/version-command.js")).runVersion,
  ),
  lazy("completion", "Prints completion for bash, zsh or fish.", async () => {
    const { runCompletion } = await import("./completion/completion-command.js");
    return (args) => runCompletion(commands, args);
  }),
  lazy(
    "apiserver",
    "Serves the Kubernetes API, in the foreground.",
    async () => (await import("./apiserver/apiserver-command.js")).runApiserverCommand,
  ),
  lazy(
    "controller-manager",
    "Runs the controllers against any cluster, in the foreground.",
    async () => (await import("./controller-manager/controller-manager-command.js")).runControllerManager,
  ),
  lazy(
    "scheduler",
    "Assigns pods to nodes in any cluster, in the foreground.",
    async () => (await import("./scheduler/scheduler-command.js")).runScheduler,
  ),
  lazy(
    "kubelet",
    "Runs simulated nodes in any cluster, in the foreground.",
    async () => (await import("./kubelet/kubelet-command.js")).runKubelet,
  ),
  lazy(
    "dns",
    "Answers DNS questions about any cluster, in the foreground.",
    async () => (await import("./dns/dns-command.js")).runDns,
  ),
  lazy(
    "gateway",
    "Serves the Ingresses, Gateways and HTTPRoutes of any cluster, in the foreground.",
    async () => (await import("./gateway/gateway-command.js")).runGateway,
  ),
  lazy(
    "proxy",
    "Sends connections to services to their endpoints, in place of kube-proxy, in the foreground.",
    async () => (await import("./proxy/proxy-command.js")).runProxy,
  ),
  lazy(
    "balance",
    "Balances connections over several API servers, in the foreground.",
    async () => (await import("./balance/balance-command.js")).runBalance,
  ),
  lazy(
    "kubeconfig",
    "Prints a kubeconfig for a user, with a new client certificate.",
    async () => (await import("./kubeconfig/kubeconfig-command.js")).runKubeconfig,
  ),
  lazy(
    "certs",
    "Lists, renews and replaces certificates of a cluster.",
    async () => (await import("./certs/certs-command.js")).runCerts,
  ),
  lazy(
    "check",
    "Checks manifests as a cluster would, without one.",
    async () => (await import("./check/check-command.js")).runCheck,
  ),
  lazy(
    "operator",
    "Makes operators: projects, manifests from TypeScript types, types from manifests.",
    async () => (await import("./operator/operator-command.js")).runOperatorCommand,
  ),
  lazy(
    "api",
    "Makes API servers for kinds of one's own: projects, kinds, registration.",
    async () => (await import("./api-server/api-command.js")).runApiCommand,
  ),
  lazy(
    "envtest",
    "Makes a directory for KUBEBUILDER_ASSETS.",
    async () => (await import("./envtest/envtest-command.js")).runEnvtest,
  ),
  lazy(
    "history",
    "Shows who changed what, differences between moments, and makes objects again as they were.",
    async () => (await import("./history/history-command.js")).runHistory,
  ),
  lazy(
    "at",
    "Runs kubectl or another program on a cluster as it was.",
    async () => (await import("./at/at-command.js")).runAt,
  ),
  lazy(
    "export",
    "Prints the objects of a cluster as people wrote them.",
    async () => (await import("./export/export-command.js")).runExport,
  ),
  lazy("why", "Shows why an object is here, or gone.", async () => (await import("./why/why-command.js")).runWhy),
  lazy(
    "store",
    "Backs up, restores and inspects the store.",
    async () => (await import("./store/store-command.js")).storeCommand.run,
  ),
];

export const commands: Readonly<Record<string, Command>> = Object.fromEntries(
  all.map((command) => [command.name, command]),
);

/** For programs of ours alone: nobody types them, so they are in no list. */
export const internalCommands: Readonly<Record<string, Command>> = {
  part: lazy("part", "A part of a cluster.", async () => (await import("./up/parts/part-command.js")).runPart),
};
