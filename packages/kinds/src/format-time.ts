/** Milliseconds as the API writes a time: RFC 3339, whole seconds, UTC. */
export const formatTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
