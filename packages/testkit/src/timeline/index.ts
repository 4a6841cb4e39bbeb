// For those who show a timeline of another cluster, and need no cluster in a test.
export type { TimelineEntry, WorkEntry, WriteEntry } from "./timeline-entry.js";
export { timelinePage } from "./timeline-page.js";
export { timelineText } from "./timeline-text.js";
