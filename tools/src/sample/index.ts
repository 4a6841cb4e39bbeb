export { startSampleApiserver, type SampleApiserverOptions } from "./sample-apiserver.js";
export { startOwnSampleApiserver } from "./own-sample-apiserver.js";
export type { SampleApiserver } from "./start-listening.js";
export { type StoryOptions, runSampleScenario, type CommandResult } from "./story.js";
