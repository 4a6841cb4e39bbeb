export { startSampleApiserver, type SampleApiserver, type SampleApiserverOptions } from "./sample-apiserver.js";
export { type StoryOptions, runSampleScenario, type CommandResult } from "./story.js";
