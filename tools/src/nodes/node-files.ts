import { join } from "node:path";
import { cacheDirectory } from "../upstream/index.js";

const folder = (): string => join(cacheDirectory(), "nodes");

/** Raised whenever images/e2e-images.ts or images/debian-base.ts change: older images stay for runs that are under way. */
const imagesVersion = 2;

/** An image layout with the images of the suite; what `prepare nodes` makes. */
export const imagesFolder = (): string => join(folder(), `images-${imagesVersion}`);
/** The root file system below them, as a tar archive. */
export const baseFile = (): string => join(folder(), `debian-base-${imagesVersion}.tar`);
/** Programs compiled from C, for images. */
export const staticProgram = (name: "pause" | "shell"): string => join(folder(), "bin", name);
