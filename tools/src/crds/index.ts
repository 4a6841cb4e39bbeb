export { type Project, projects } from "./projects.js";
export { type Manifest, readManifests } from "./read-manifests.js";
export { readProject } from "./read-project.js";
