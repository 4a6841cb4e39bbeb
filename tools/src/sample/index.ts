export { startSampleApiserver, type SampleApiserver, type SampleApiserverOptions } from "./sample-apiserver.js";
export { type StoryOptions, tellSampleStory, type Told } from "./story.js";
