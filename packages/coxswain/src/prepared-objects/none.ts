import type { PreparedObjects } from "@coxswain/apiserver";

/** The bundle has a file of prepared objects in this one's place; without it a starting server makes them itself. */
const none: PreparedObjects = {};
export default none;
