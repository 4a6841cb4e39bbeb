import { startCountedSlice, startTimeSlice, type TimeSlice } from "@coxswain/runtime/wait";
import type { ApiRequest } from "../../request/request.js";

/** Makes slices of the thread's time for one answer. */
export type StartSlice = () => TimeSlice;

/** By time for sockets; for callers in this process, who may live by a virtual clock, by the number of looks. */
export const sliceFor = ({ caller }: Pick<ApiRequest, "caller">, looks: number): StartSlice =>
  caller.via === "process" ? () => startCountedSlice(looks) : () => startTimeSlice();
