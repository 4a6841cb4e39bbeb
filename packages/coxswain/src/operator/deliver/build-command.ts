import { existsSync } from "node:fs";
import { join } from "node:path";
import { defineFlags } from "@coxswain/component/flags";
import { writeChanged } from "../../project/write-files.js";
import { BundleError, bundleOperator } from "../esbuild.js";
import { generateAndCheck } from "../generate-and-check.js";
import { defineProjectSubcommand } from "../project-subcommand.js";
import { imageFiles } from "./image-files.js";

export const buildSubcommand = defineProjectSubcommand({
  name: "build",
  takes: "",
  summary: "Makes one file of the operator, and a Dockerfile for it.",
  description:
    "Generates, checks types, and bundles main.ts with all packages into dist/main.mjs, which needs nothing but Node. Writes Dockerfile and .dockerignore where they are not there yet.",
  flags: defineFlags({
    "type-check": {
      group: "Build",
      type: "boolean",
      default: true,
      help: "Fail if types are wrong. Use --type-check=false to build anyway.",
    },
  }),
  maxWords: 0,
  async run({ options, ...place }) {
    const { directory, print, printError } = place;
    const checked = await generateAndCheck(place, options);
    if (checked !== 0) return checked;
    try {
      const { code, sourceMap } = await bundleOperator(directory, { externalPackages: false });
      const files = [
        { path: "dist/main.mjs", text: code },
        { path: "dist/main.mjs.map", text: sourceMap },
        ...imageFiles.filter(({ path }) => !existsSync(join(directory, path))),
      ];
      writeChanged(directory, files);
      for (const { path, text } of files) print(`wrote ${path} (${Math.ceil(text.length / 1024)} KB)`);
      print("next: docker build -t IMAGE . && docker push IMAGE, then coxswain operator deploy --image IMAGE");
      return 0;
    } catch (error) {
      if (!(error instanceof BundleError)) throw error;
      printError(error.message);
      return 1;
    }
  },
});
