export { runTutorial, type TutorialOptions } from "./run-tutorial.js";
