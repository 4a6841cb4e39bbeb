import { createRequire } from "node:module";
import { join } from "node:path";

/** What is used of esbuild, which is a development dependency of operators' projects. */
interface Esbuild {
  build(options: object): Promise<{ outputFiles: { path: string; text: string }[] }>;
  formatMessages(messages: readonly unknown[], options: { kind: "error" }): Promise<string[]>;
}

/** The sources do not compile: `message` is esbuild's, with file and line. */
export class BundleError extends Error {
  override readonly name = "BundleError";
}

export interface BundleOptions {
  /** Whether packages stay outside: loaded from node_modules when it runs. */
  readonly externalPackages: boolean;
}

export interface Bundle {
  readonly code: string;
  readonly sourceMap: string;
}

/** Packages of CommonJS call require, which a module does not have. */
const withRequire = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

/** main.ts and all that it imports as one ES module. Types are not checked. @throws BundleError */
export async function bundleOperator(directory: string, { externalPackages }: BundleOptions): Promise<Bundle> {
  const esbuild = loadEsbuild(directory);
  try {
    const { outputFiles } = await esbuild.build({
      absWorkingDir: directory,
      entryPoints: ["main.ts"],
      outfile: "dist/main.mjs",
      write: false,
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20.19",
      sourcemap: "linked",
      ...(externalPackages ? { packages: "external" } : { banner: { js: withRequire }, legalComments: "eof" }),
      logLevel: "silent",
    });
    const text = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? "";
    return { code: text(".mjs"), sourceMap: text(".map") };
  } catch (error) {
    const { errors } = error as { errors?: unknown[] };
    if (!errors) throw error;
    throw new BundleError((await esbuild.formatMessages(errors, { kind: "error" })).join("").trimEnd(), {
      cause: error,
    });
  }
}

function loadEsbuild(directory: string): Esbuild {
  try {
    return createRequire(join(directory, "package.json"))("esbuild") as Esbuild;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    throw new BundleError(
      `esbuild is not installed in ${directory}: run "npm install", or "npm install --save-dev esbuild"`,
      { cause: error },
    );
  }
}
