export { definitionModules, type GeneratedModule } from "./definition-modules.js";
