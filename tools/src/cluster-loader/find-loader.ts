import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { cacheDirectory } from "../upstream/index.js";

export interface Loader {
  readonly program: string;
  /** Where paths of its tests begin. */
  readonly folder: string;
}

export interface FindLoaderOptions {
  readonly checkout: string;
  readonly binary: string | undefined;
  print(line: string): void;
}

/** Builds it into the cache, once for each go.mod of a checkout. */
export function findLoader({ checkout, binary, print }: FindLoaderOptions): Loader {
  const nested = join(checkout, "clusterloader2");
  const folder = existsSync(nested) ? nested : checkout;
  const module = join(folder, "go.mod");
  if (!existsSync(join(folder, "testing")) || !existsSync(module))
    throw new Error(
      `${checkout} is no checkout of kubernetes/perf-tests: it has no clusterloader2 with go.mod and testing`,
    );
  if (binary !== undefined) return { program: resolve(binary), folder };
  const version = createHash("sha256").update(folder).update(readFileSync(module)).digest("hex").slice(0, 12);
  const programs = join(cacheDirectory(), "cluster-loader");
  const program = join(programs, `clusterloader-${version}`);
  if (!existsSync(program)) {
    print("building clusterloader2; the first time this takes minutes");
    mkdirSync(programs, { recursive: true });
    execFileSync("go", ["build", "-o", program, "./cmd"], { cwd: folder, stdio: "inherit" });
  }
  return { program, folder };
}
