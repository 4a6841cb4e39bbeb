import { join } from "node:path";
import { cacheDirectory } from "../upstream/index.js";

const folder = (): string => join(cacheDirectory(), "nodes");

/** An image layout with the images of the suite; what `prepare nodes` makes. */
export const imagesFolder = (): string => join(folder(), "images");
/** The root file system below them, as a tar archive. */
export const baseFile = (): string => join(folder(), "debian-base.tar");
/** Programs compiled from C, for images. */
export const staticProgram = (name: "pause" | "shell"): string => join(folder(), "bin", name);
