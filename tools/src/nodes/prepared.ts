import { existsSync } from "node:fs";
import { join } from "node:path";
import { cachedProgram } from "../upstream/index.js";
import { imagesFolder } from "./node-files.js";
import { type NodeParts, programsOf, type UpParts } from "./node-parts.js";
import { missingPackages } from "./packages.js";

/** What is missing before a cluster of these parts can run here, as sentences; `npm run tool -- prepare nodes` brings all but the first. */
export function missingForNodes(parts: UpParts & Partial<NodeParts>): string[] {
  const packages = missingPackages(existsSync, { toRun: true });
  const programs = programsOf(parts).filter((name) => cachedProgram(name) === undefined);
  return [
    ...(process.getuid?.() === 0 ? [] : ["nodes need root"]),
    ...(packages.length > 0 ? [`Debian's packages ${packages.join(", ")}`] : []),
    ...(programs.length > 0 ? [`upstream's programs ${programs.join(", ")}`] : []),
    ...(existsSync(join(imagesFolder(), "index.json")) ? [] : ["the images of the suite"]),
  ];
}
