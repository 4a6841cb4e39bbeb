import type { PackageSource } from "./package-source.js";

/** Packages of a clone are links to a folder outside node_modules, where vitest would transform every module of theirs. */
export const linkedPackages = ({ kind }: PackageSource): string =>
  kind === "clone" ? "\n    server: { deps: { external: [/\\/packages\\/[a-z-]+\\/dist\\//] } }," : "";

/** vitest.config.ts of a project whose tests are in the files of a pattern. */
export const testConfig = (
  source: PackageSource,
  files: string,
): string => `import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["${files}"],
    // A test waits for what it tests, not for a time: this is for a CI machine with ten times as much to do.
    testTimeout: 120_000,
    hookTimeout: 120_000,${linkedPackages(source)}
  },
});
`;
