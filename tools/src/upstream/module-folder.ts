import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { promisify } from "node:util";

/** Where the sources of a published Go module are (`k8s.io/kubernetes@v1.36.4`), fetched on first use. Not to be written to. */
export async function moduleFolder(module: string): Promise<string> {
  const { stdout } = await promisify(execFile)("go", ["mod", "download", "-json", module], {
    cwd: tmpdir(),
    maxBuffer: 1 << 20,
  });
  return (JSON.parse(stdout) as { Dir: string }).Dir;
}
