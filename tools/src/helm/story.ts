export interface Step {
  readonly title: string;
  readonly args: readonly string[];
  /** Part of what Helm prints. */
  readonly prints: string;
}

const waitFlags = ["--wait", "--timeout", "60s"];

/** The life of a release of the chart `chart`. */
export const story: readonly Step[] = [
  { title: "install --wait", args: ["install", "web", "chart", ...waitFlags], prints: "STATUS: deployed" },
  {
    title: "upgrade --wait, to three replicas of another image",
    args: ["upgrade", "web", "chart", "--set", "replicaCount=3,image.tag=2", ...waitFlags],
    prints: "REVISION: 2",
  },
  { title: "status", args: ["status", "web", "--show-resources"], prints: "3/3" },
  { title: "rollback --wait", args: ["rollback", "web", "1", ...waitFlags], prints: "Rollback was a success" },
  { title: "history", args: ["history", "web"], prints: "Rollback to 1" },
  { title: "test", args: ["test", "web", "--timeout", "60s"], prints: "Phase:          Succeeded" },
  { title: "uninstall --wait", args: ["uninstall", "web", ...waitFlags], prints: 'release "web" uninstalled' },
  {
    title: "install --wait again, under the same name",
    args: ["install", "web", "chart", ...waitFlags],
    prints: "deployed",
  },
];
