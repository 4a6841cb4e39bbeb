import type { MachineFacts, ProgramName } from "./machine-facts.js";

export interface Finding {
  readonly level: "ok" | "warning" | "error";
  /** What was looked at. */
  readonly subject: string;
  /** What was found and, where that is not enough, what to do. */
  readonly text: string;
}

/** Less and a cluster with some thousand objects and its backups has no room. */
const wantedBytes = 1 << 30;

/** What each program is for, and the package that brings it on Debian and Ubuntu; undefined: not from there. */
const uses: Readonly<Record<ProgramName, { readonly use: string; readonly from: string }>> = {
  kubectl: { use: "to talk to clusters", from: "see kubernetes.io/docs/tasks/tools" },
  helm: { use: "to install charts", from: "see helm.sh/docs/intro/install" },
  containerd: { use: "for real containers", from: "apt install containerd" },
  runc: { use: "for real containers", from: "apt install runc" },
  nft: { use: "for services of real nodes", from: "apt install nftables" },
  conntrack: { use: "for services of real nodes", from: "apt install conntrack" },
};

/** Pure: one finding for each thing that clusters need. Only errors keep `coxswain up` from working. */
export const findProblems = (facts: MachineFacts): Finding[] => [
  findNode(facts),
  findDisk(facts),
  findPort(facts),
  ...(Object.keys(uses) as ProgramName[]).map((name) => findProgram(facts, name)),
];

function findNode({ node }: MachineFacts): Finding {
  const [major = 0, minor = 0] = node.slice(1).split(".").map(Number);
  const isOld = major < 20 || (major === 20 && minor < 19);
  const text = isOld ? `${node} is too old: 20.19 or later is needed` : node;
  return { level: isOld ? "error" : "ok", subject: "node", text };
}

function findDisk({ folder, freeBytes }: MachineFacts): Finding {
  if (freeBytes === undefined) return { level: "warning", subject: "disk", text: `${folder}: free space is not known` };
  const isLow = freeBytes < wantedBytes;
  const free = `${(freeBytes / (1 << 30)).toFixed(1)} GiB free for ${folder}`;
  return {
    level: isLow ? "warning" : "ok",
    subject: "disk",
    text: isLow ? `${free}: a GiB or more is advisable; --data-dir names another place` : free,
  };
}

function findPort({ port, isPortFree, portOf }: MachineFacts): Finding {
  const subject = "port";
  if (isPortFree) return { level: "ok", subject, text: `${port} is free on 127.0.0.1` };
  if (portOf !== undefined)
    return { level: "ok", subject, text: `${port} is that of the cluster ${portOf}, which runs` };
  return { level: "warning", subject, text: `${port} is taken on 127.0.0.1: "coxswain up" will choose another one` };
}

function findProgram({ programs, platform }: MachineFacts, name: ProgramName): Finding {
  const version = programs[name];
  const { use, from } = uses[name];
  if (version !== undefined) return { level: "ok", subject: name, text: version };
  const isForLinux = use.includes("real");
  if (isForLinux && platform !== "linux")
    return { level: "ok", subject: name, text: `not used on ${platform}: nodes are simulated there` };
  return { level: "warning", subject: name, text: `not found; needed ${use} (${from})` };
}
