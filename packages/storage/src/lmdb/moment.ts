/** The steps between which a process may be ended, in the order of a write; tests end it there. */
export type Moment = "log written" | "log synced" | "file written" | "log released" | "log read" | "log replayed";
