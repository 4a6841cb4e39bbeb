import type { Machine } from "./machine.js";

/** What the stories of the files in deploy have in common. */
export interface Story {
  /** This checkout. */
  readonly workspace: string;
  /** The root file system of machines, as an archive. */
  readonly base: string;
  /** For this run alone. */
  readonly folder: string;
  /** The program. */
  readonly kubectl: string;
  readonly print: (line: string) => void;
}

/** kubectl of this machine, as a client in the other one's network. Returns what it prints. @throws Error where it fails */
export async function askWithKubectl(
  { kubectl }: Story,
  machine: Machine,
  { kubeconfig, line }: { kubeconfig: string; line: string },
): Promise<string> {
  const argv = [kubectl, "--kubeconfig", kubeconfig, ...line.split(" ")];
  const { code, stdout, stderr } = await machine.fromOutside(argv);
  if (code !== 0) throw new Error(`kubectl ${line} ended with ${code}: ${stdout}${stderr}`);
  return stdout;
}
