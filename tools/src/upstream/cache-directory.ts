import { homedir } from "node:os";
import { join } from "node:path";

/** Where everything is kept that takes long to make and belongs in no commit. */
export function cacheDirectory(env: NodeJS.ProcessEnv = process.env): string {
  return env["COXSWAIN_CACHE_DIR"] || join(env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "coxswain");
}
