export { casesOf } from "./case.js";
export type { CaseOptions, OracleCase } from "./case.js";
export { playSubject } from "./play.js";
export { readSubjects, subjectName } from "./subject.js";
export type { Subject } from "./subject.js";
export { compactOf } from "./compact.js";
export type { CompactAnswer } from "./compact.js";
export { readCompact } from "./compact-files.js";

export { playStory } from "./extension/play-story.js";
export { readStories } from "./extension/stories.js";
export type { Story } from "./extension/story.js";
