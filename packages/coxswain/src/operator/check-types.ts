import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** What the project's TypeScript compiler reports; undefined: no errors. Aborted checks report nothing. */
export async function checkTypes(directory: string, signal?: AbortSignal): Promise<string | undefined> {
  let compiler: string;
  try {
    const required = createRequire(join(directory, "package.json"));
    compiler = join(dirname(required.resolve("typescript/package.json")), "bin/tsc");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    return `typescript is not installed in ${directory}: run "npm install"`;
  }
  const child = spawn(process.execPath, [compiler, "--noEmit", "--pretty", "false"], {
    cwd: directory,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stop = (): void => void child.kill();
  signal?.addEventListener("abort", stop, { once: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => void (output += text));
  const [code] = (await once(child, "close")) as [number | null];
  signal?.removeEventListener("abort", stop);
  if (code === 0 || signal?.aborted) return undefined;
  return output.trimEnd() || `tsc ended with ${code}`;
}
