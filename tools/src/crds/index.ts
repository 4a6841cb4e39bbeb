export { type Project, projects } from "./projects.js";
export { readProject } from "./read-project.js";
