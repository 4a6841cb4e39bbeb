export { CauseJudge } from "./cause-judge.js";
