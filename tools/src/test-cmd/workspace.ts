import { chmod, cp, mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { ensureProgram, kubernetesVersion, moduleFolder } from "../upstream/index.js";

const parts = [
  "hack/lib",
  "hack/testdata",
  "test/cmd",
  "test/fixtures",
  "test/e2e/testing-manifests",
  "third_party/forked/shell2junit",
];

/** A copy of upstream's scripts and of what they read, in which they may write. */
export interface Workspace {
  readonly folder: string;
  /** Has kubectl and kubectl-convert, under these names. */
  readonly binaries: string;
  /** Where the scripts put files and look for the server's certificate. */
  readonly temporary: string;
  readonly legacyScript: string;
}

export async function makeWorkspace(root: string): Promise<Workspace> {
  const source = await moduleFolder(`k8s.io/kubernetes@${kubernetesVersion}`);
  const workspace = { folder: join(root, "scripts"), binaries: join(root, "bin"), temporary: join(root, "tmp") };
  for (const folder of Object.values(workspace)) await mkdir(folder, { recursive: true });
  for (const part of parts) await cp(join(source, part), join(workspace.folder, part), { recursive: true });
  await makeWritable(workspace.folder);
  for (const program of ["kubectl", "kubectl-convert"] as const)
    await symlink(await ensureProgram(program), join(workspace.binaries, program));
  return { ...workspace, legacyScript: await readFile(join(workspace.folder, "test/cmd/legacy-script.sh"), "utf8") };
}

/** A module's files are read-only and have lost their executable bits; the plugins of kubectl among them need theirs. */
async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await makeWritable(path);
    else await chmod(path, /\/kubectl\/plugins\/|\.sh$/.test(path) ? 0o755 : 0o644);
  }
}
